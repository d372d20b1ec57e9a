//! Writes numbers. The formatting machinery of the standard library would cost more than the rest of printing a node.

/// Appends a number in decimal.
#[inline]
pub fn push_number(out: &mut Vec<u8>, mut number: u64) {
    const MAX_DIGITS: usize = 20;
    let mut digits = [0; MAX_DIGITS];
    let mut start = MAX_DIGITS;
    loop {
        start -= 1;
        digits[start] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[start..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_lengths() {
        for number in [0, 9, 10, 99, 100, 12_345, u64::from(u32::MAX), u64::MAX] {
            let mut out = b"x".to_vec();
            push_number(&mut out, number);
            assert_eq!(out, format!("x{number}").into_bytes());
        }
    }
}
