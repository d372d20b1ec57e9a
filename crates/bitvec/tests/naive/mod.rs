//! Every operator, bit by bit, on lists of bits with the least significant bit first. Written from the definitions, not from
//! the code under test.

pub type Bits = Vec<bool>;

pub fn zero(n: usize) -> Bits {
    vec![false; n]
}

pub fn one(n: usize) -> Bits {
    (0..n).map(|index| index == 0).collect()
}

pub fn not(a: &Bits) -> Bits {
    a.iter().map(|bit| !bit).collect()
}

pub fn zip(a: &Bits, b: &Bits, on: fn(bool, bool) -> bool) -> Bits {
    a.iter().zip(b).map(|(a, b)| on(*a, *b)).collect()
}

/// The sum, with its carry as an additional bit.
pub fn add_wide(a: &Bits, b: &Bits) -> Bits {
    let mut carry = false;
    let mut sum: Bits = Vec::new();
    for (&a, &b) in a.iter().zip(b) {
        sum.push(a ^ b ^ carry);
        carry = [a, b, carry].iter().filter(|bit| **bit).count() >= 2;
    }
    sum.push(carry);
    sum
}

pub fn add(a: &Bits, b: &Bits) -> Bits {
    add_wide(a, b)[..a.len()].to_vec()
}

pub fn neg(a: &Bits) -> Bits {
    add(&not(a), &one(a.len()))
}

pub fn sub(a: &Bits, b: &Bits) -> Bits {
    add(a, &neg(b))
}

pub fn extend(a: &Bits, n: usize, bit: bool) -> Bits {
    a.iter().copied().chain(std::iter::repeat_n(bit, n)).collect()
}

pub fn sign(a: &Bits) -> bool {
    a[a.len() - 1]
}

/// Shift and add.
pub fn mul(a: &Bits, b: &Bits) -> Bits {
    let mut product = zero(a.len());
    let mut shifted = a.clone();
    for &bit in b {
        if bit {
            product = add(&product, &shifted);
        }
        shifted = shl_one(&shifted);
    }
    product
}

fn shl_one(a: &Bits) -> Bits {
    let mut shifted = vec![false];
    shifted.extend(&a[..a.len() - 1]);
    shifted
}

pub fn ult(a: &Bits, b: &Bits) -> bool {
    for (a, b) in a.iter().zip(b).rev() {
        if a != b {
            return *b;
        }
    }
    false
}

pub fn slt(a: &Bits, b: &Bits) -> bool {
    if sign(a) != sign(b) { sign(a) } else { ult(a, b) }
}

/// Long division; division by zero is as in SMT-LIB.
pub fn udivrem(a: &Bits, b: &Bits) -> (Bits, Bits) {
    let n = a.len();
    if b.iter().all(|bit| !bit) {
        return (vec![true; n], a.clone());
    }
    let (divisor, mut rest) = (extend(b, 1, false), zero(n + 1));
    let mut quotient = zero(n);
    for index in (0..n).rev() {
        rest = shl_one(&rest);
        rest[0] = a[index];
        if !ult(&rest, &divisor) {
            rest = sub(&rest, &divisor);
            quotient[index] = true;
        }
    }
    (quotient, rest[..n].to_vec())
}

fn abs(a: &Bits) -> Bits {
    if sign(a) { neg(a) } else { a.clone() }
}

/// The definition in SMT-LIB, by cases on the signs.
pub fn sdiv(a: &Bits, b: &Bits) -> Bits {
    match (sign(a), sign(b)) {
        (false, false) => udivrem(a, b).0,
        (true, false) => neg(&udivrem(&neg(a), b).0),
        (false, true) => neg(&udivrem(a, &neg(b)).0),
        (true, true) => udivrem(&neg(a), &neg(b)).0,
    }
}

pub fn srem(a: &Bits, b: &Bits) -> Bits {
    let rest = udivrem(&abs(a), &abs(b)).1;
    if sign(a) { neg(&rest) } else { rest }
}

pub fn smod(a: &Bits, b: &Bits) -> Bits {
    let rest = udivrem(&abs(a), &abs(b)).1;
    match (sign(a), sign(b)) {
        _ if rest.iter().all(|bit| !bit) => rest,
        (false, false) => rest,
        (true, false) => add(&neg(&rest), b),
        (false, true) => add(&rest, b),
        (true, true) => neg(&rest),
    }
}

pub fn number(a: &Bits) -> u64 {
    a.iter().rev().fold(0, |number, bit| number * 2 + u64::from(*bit))
}

pub fn shift_left(a: &Bits, by: u64) -> Bits {
    (0..a.len() as u64).map(|index| index >= by && a[(index - by) as usize]).collect()
}

pub fn shift_right(a: &Bits, by: u64, fill: bool) -> Bits {
    let at = |index: u64| index.checked_add(by).and_then(|from| a.get(from as usize).copied());
    (0..a.len() as u64).map(|index| at(index).unwrap_or(fill)).collect()
}

pub fn rotate_left(a: &Bits, by: u64) -> Bits {
    let mut rotated = a.clone();
    rotated.rotate_right((by % a.len() as u64) as usize);
    rotated
}

/// True if the signed number does not fit into `n` bits.
pub fn overflows_signed(wide: &Bits, n: usize) -> bool {
    wide[n - 1..].iter().any(|bit| *bit != wide[n - 1])
}

pub fn overflows_unsigned(wide: &Bits, n: usize) -> bool {
    wide[n..].iter().any(|bit| *bit)
}
