(set-logic UFNIA)
(check-sat)
(get-value (false))
(exit)
