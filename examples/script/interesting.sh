#!/bin/sh
# Exit status 0 means: the failure is there. Runs in a folder that holds nothing but the candidate, whose path is $1.
# The failure: the file nests a quantifier in a quantifier, and still asks a question.
tr '\n' ' ' < "$1" | grep -Eq 'forall.*exists' && grep -q 'check-sat' "$1"
