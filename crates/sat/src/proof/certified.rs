//! A solver that proves every `unsat` and checks the proof.

use super::{Proof, ProofFault, Prover, check, prove};
use crate::{SatAnswer, SatLimits, SatSolver, SatStop};
use nub_cnf::{Cnf, Lit, Sink};
use std::sync::{Arc, Mutex, PoisonError};

/// Clauses without a model, and a proof of that.
#[derive(Clone, Default, Debug)]
pub struct UnsatCertificate {
    /// All clauses that the solver had.
    pub cnf: Cnf,
    /// The assumptions of the question.
    pub units: Vec<Lit>,
    /// The proof that these have no model. It has been checked.
    pub proof: Proof,
    /// What the literals mean, for a reader of the clauses.
    pub names: Vec<(String, Lit)>,
}

impl UnsatCertificate {
    /// The clauses and units in DIMACS format, after comments that say what literals mean: `c x 3 17` for a bit of `x`.
    pub fn to_dimacs(&self) -> String {
        let mut text = String::new();
        for (name, lit) in &self.names {
            // A symbol may contain line breaks.
            let name: String = name.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
            text.push_str(&format!("c {name} {lit}\n"));
        }
        text + &self.cnf.to_dimacs_with(&self.units)
    }
}

/// Holds the certificate of the last `unsat`. Clones share it.
#[derive(Clone, Default, Debug)]
pub struct Certificates {
    last: Arc<Mutex<Option<UnsatCertificate>>>,
}

impl Certificates {
    /// Removes and returns the last certificate.
    pub fn take(&self) -> Option<UnsatCertificate> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Stores a certificate.
    pub fn put(&self, certificate: UnsatCertificate) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(certificate);
    }

    /// Adds names for the literals of the last certificate.
    pub fn name(&self, names: Vec<(String, Lit)>) {
        if let Some(last) = self.last.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            last.names = names;
        }
    }
}

/// Any solver, with proofs. It keeps the clauses as well; when the solver answers `unsat`, a second solver that
/// logs its steps solves them again, and the log is checked. If that fails, the answer is unknown, with [`SatStop::Unproved`]. Each `unsat`
/// takes at least three times as long: for the solver, for the second solver and for the checker.
pub struct CertifyingSolver {
    solver: Box<dyn SatSolver>,
    cnf: Cnf,
    certificates: Certificates,
}

impl CertifyingSolver {
    /// A solver without clauses that stores its certificates in `certificates`.
    pub fn new(solver: Box<dyn SatSolver>, certificates: Certificates) -> CertifyingSolver {
        CertifyingSolver { solver, cnf: Cnf::new(), certificates }
    }

    fn certify(&self, units: &[Lit], limits: &SatLimits) -> Result<(), SatStop> {
        let proof = prove(&self.cnf, units, limits, Prover::default())?;
        match check(&self.cnf, units, &proof, limits) {
            Ok(()) => {}
            Err(ProofFault::Cancelled) => return Err(SatStop::Cancelled),
            Err(fault) => return Err(SatStop::Unproved(fault.to_string())),
        }
        let (cnf, units) = (self.cnf.clone(), units.to_vec());
        self.certificates.put(UnsatCertificate { cnf, units, proof, names: Vec::new() });
        Ok(())
    }
}

impl Sink for CertifyingSolver {
    fn new_var(&mut self) -> Lit {
        self.cnf.new_var();
        self.solver.new_var()
    }

    fn add(&mut self, clause: &[Lit]) {
        self.cnf.add(clause);
        self.solver.add(clause);
    }
}

impl SatSolver for CertifyingSolver {
    fn solve(&mut self, assumptions: &[Lit], limits: &SatLimits) -> SatAnswer {
        match self.solver.solve(assumptions, limits) {
            // The core is what callers rely on, so the proof must use nothing else.
            SatAnswer::Unsat => match self.certify(self.solver.core(), limits) {
                Ok(()) => SatAnswer::Unsat,
                Err(stop) => SatAnswer::Unknown(stop),
            },
            answer => answer,
        }
    }

    fn value(&mut self, lit: Lit) -> bool {
        self.solver.value(lit)
    }

    fn core(&self) -> &[Lit] {
        self.solver.core()
    }

    fn prefer(&mut self, lit: Lit) {
        self.solver.prefer(lit);
    }

    fn n_vars(&self) -> u32 {
        self.solver.n_vars()
    }
}
