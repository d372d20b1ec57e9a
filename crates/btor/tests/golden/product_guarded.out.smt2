(set-logic QF_BV)
(declare-fun a () (_ BitVec 4))
(declare-fun b () (_ BitVec 4))
(assert
(let ((n3 (ite (bvuge a #b0010) #b1 #b0)) (n4 (ite (bvuge b #b0010) #b1 #b0)) (n5 (bvmul a b)) (n6 (bvadd a b)) (n8 (ite (distinct ((_ extract 7 4) (bvmul ((_ zero_extend 4) a) ((_ zero_extend 4) b))) (_ bv0 4)) #b1 #b0)))
(let ((n7 (ite (bvult n5 n6) #b1 #b0)))
(and (= n3 #b1) (= n4 #b1) (= n7 #b1) (= (bvnot n8) #b1)))))
(check-sat)
