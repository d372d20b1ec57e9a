#!/bin/sh
# A fake solver that lies: it says `unsat` as soon as the absolute value of a difference occurs.
# Usage: solver.sh FILE
if grep -q '(abs (-' "$1"; then echo unsat; else echo sat; fi
