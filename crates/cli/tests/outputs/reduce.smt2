; nub: ./solver.sh small.smt2 -> SIGABRT
(assert(=(bvudiv (bvmul #b0 #b0)#b0)#b0))
