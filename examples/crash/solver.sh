#!/bin/sh
# A fake solver with a bug: it dies when a term divides a product, `(bvudiv (bvmul …`.
# Usage: solver.sh FILE
if tr '\n' ' ' < "$1" | grep -Eq '\(bvudiv +\(bvmul '; then
    echo "solver: rewrite/div.c:217: rewrite_udiv: Assertion 'is_normal (e)' failed." >&2
    kill -ABRT $$
fi
grep -q 'check-sat' "$1" && echo unknown
exit 0
