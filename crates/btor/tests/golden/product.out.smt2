(set-logic QF_BV)
(declare-fun a () (_ BitVec 4))
(declare-fun b () (_ BitVec 4))
(assert
(let ((n3 (ite (bvuge a #b0010) #b1 #b0)) (n4 (ite (bvuge b #b0010) #b1 #b0)) (n5 (bvmul a b)) (n6 (bvadd a b)))
(let ((n7 (ite (bvult n5 n6) #b1 #b0)) (n8 (bvand n3 n4)))
(let ((n9 (bvand n8 n7)))
(= n9 #b1)))))
(check-sat)
