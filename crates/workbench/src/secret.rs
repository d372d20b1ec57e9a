//! Random tokens and their comparison.

use std::io::Read;

/// Bytes of a token: 256 bits cannot be guessed.
const N_BYTES: usize = 32;

/// A token of 256 random bits, written in hexadecimal. Its debug output does not contain it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// A new one, from the random numbers of the kernel.
    ///
    /// # Errors
    /// If the kernel's source cannot be read.
    pub fn new() -> std::io::Result<Secret> {
        let mut bytes = [0; N_BYTES];
        std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
        Ok(Secret(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// As it is sent.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Whether this is the token. Takes the same time for every text of the right length, so that it cannot be
    /// guessed byte by byte.
    pub fn is(&self, text: &str) -> bool {
        let (ours, theirs) = (self.0.as_bytes(), text.as_bytes());
        ours.len() == theirs.len() && ours.iter().zip(theirs).fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Secret")
    }
}

#[cfg(test)]
mod tests {
    use super::Secret;

    #[test]
    fn secrets_differ_and_match_only_themselves() {
        let (one, other) = (Secret::new().unwrap(), Secret::new().unwrap());
        assert!(one.is(one.text()) && !one.is(other.text()) && !one.is("") && !one.is(&one.text()[1..]));
        assert_eq!(format!("{one:?}"), "Secret");
    }
}
