//! Starting, watching and ending a run.
