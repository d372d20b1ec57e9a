(declare-const x Int)
(define-fun g () Int (+ x 1))
(assert (= g x))