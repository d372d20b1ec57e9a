//! An output buffer for lines that avoids the formatting machinery: most of the output is numbers.

pub(super) struct Out {
    pub bytes: Vec<u8>,
}

impl Out {
    pub fn with_capacity(n_bytes: usize) -> Out {
        Out { bytes: Vec::with_capacity(n_bytes) }
    }

    /// The decimal digits of `number`.
    pub fn number(&mut self, mut number: u64) {
        let mut digits = [0; 20];
        let mut at = digits.len();
        loop {
            at -= 1;
            digits[at] = b'0' + (number % 10) as u8;
            number /= 10;
            if number == 0 {
                break;
            }
        }
        self.bytes.extend_from_slice(&digits[at..]);
    }

    /// A space and a number.
    pub fn field(&mut self, number: u64) {
        self.bytes.push(b' ');
        self.number(number);
    }

    /// A space, a minus sign and a number.
    pub fn negated_field(&mut self, number: u64) {
        self.bytes.extend_from_slice(b" -");
        self.number(number);
    }

    /// A space and a word.
    pub fn word(&mut self, word: &str) {
        self.bytes.push(b' ');
        self.bytes.extend_from_slice(word.as_bytes());
    }

    pub fn end_line(&mut self) {
        self.bytes.push(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_full() {
        let mut out = Out::with_capacity(0);
        for number in [0, 9, 10, u64::MAX] {
            out.field(number);
        }
        out.negated_field(7);
        assert_eq!(out.bytes, format!(" 0 9 10 {} -7", u64::MAX).as_bytes());
    }
}
