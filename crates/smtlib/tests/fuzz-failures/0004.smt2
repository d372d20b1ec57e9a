(declare-datatypes ||((a))))))))
(assert((_ is a)))
