#!/bin/sh
# Exit status 0 means that the failure occurs. Runs in a folder that contains nothing but the candidate, whose path is $1.
# The failure: the file nests a quantifier in a quantifier, and still has a check-sat.
tr '\n' ' ' < "$1" | grep -Eq 'forall.*exists' && grep -q 'check-sat' "$1"
