#!/bin/sh
# A fake solver with a bug: it answers `unsat` whenever the absolute value of a difference occurs.
# Usage: solver.sh FILE
if grep -q '(abs (-' "$1"; then echo unsat; else echo sat; fi
