(set-logic ALL)
(declare-fun v () Real)
(assert (= (* v v) 0))
(check-sat)
