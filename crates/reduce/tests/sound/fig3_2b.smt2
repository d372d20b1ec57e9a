(set-logic ALL)
(declare-fun v () Real)
(assert (or (= (* v v) 0)))
(check-sat)
