(set-logic ALL)
(declare-fun v () Real)
(assert (and (or (= (* v v) 0))))
(check-sat)
