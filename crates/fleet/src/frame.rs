//! A message: a head in JSON on one line, then blobs, each with its length before it.
//!
//! Candidates are arbitrary bytes, which JSON cannot contain; so they follow the head unencoded.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Blobs in a message, at most.
const MAX_BLOBS: usize = 1 << 20;

/// Why bytes are not a message.
#[derive(PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum FrameError {
    #[error("the message has no head")]
    NoHead,
    #[error("the head of the message cannot be read: {0}")]
    Head(String),
    #[error("the message ends within a length")]
    CutLength,
    #[error("the message ends within a blob")]
    CutBlob,
    #[error("the message has too many blobs")]
    TooManyBlobs,
}

/// Writes a message.
pub(crate) fn encode<T: Serialize>(head: &T, blobs: &[Vec<u8>]) -> Vec<u8> {
    // Heads are plain data with string keys, so serialising them cannot fail.
    let mut bytes = serde_json::to_vec(head).unwrap_or_default();
    bytes.push(b'\n');
    for blob in blobs {
        bytes.extend_from_slice(&(blob.len() as u64).to_le_bytes());
        bytes.extend_from_slice(blob);
    }
    bytes
}

/// Reads a message, or says what is wrong with it.
pub(crate) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<(T, Vec<Vec<u8>>), FrameError> {
    let head_len = bytes.iter().position(|&byte| byte == b'\n').ok_or(FrameError::NoHead)?;
    let head =
        serde_json::from_slice(&bytes[..head_len]).map_err(|error| FrameError::Head(error.to_string()))?;
    let mut rest = &bytes[head_len + 1..];
    let mut blobs = Vec::new();
    while !rest.is_empty() {
        let (len, tail) = rest.split_first_chunk::<8>().ok_or(FrameError::CutLength)?;
        // A length that does not fit a `usize` is longer than any message.
        let len = usize::try_from(u64::from_le_bytes(*len)).map_err(|_| FrameError::CutBlob)?;
        let blob = tail.get(..len).ok_or(FrameError::CutBlob)?;
        if blobs.len() == MAX_BLOBS {
            return Err(FrameError::TooManyBlobs);
        }
        blobs.push(blob.to_vec());
        rest = &tail[len..];
    }
    Ok((head, blobs))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blobs_of_any_bytes_come_back() {
        let blobs = vec![b"\n\0\xff".to_vec(), Vec::new(), vec![7; 1000]];
        let bytes = encode(&("head\n", 3), &blobs);
        assert_eq!(decode::<(String, u32)>(&bytes), Ok((("head\n".to_owned(), 3), blobs)));
    }

    #[test]
    fn every_shortened_message_is_refused_or_has_fewer_blobs() {
        let bytes = encode(&1u8, &[b"one".to_vec(), b"two".to_vec()]);
        for len in 0..bytes.len() {
            if let Ok((_, blobs)) = decode::<u8>(&bytes[..len]) {
                assert!(blobs.len() < 2, "{len}");
            }
        }
        assert!(decode::<u8>(b"\xff\xff").is_err());
        assert!(decode::<u8>(b"1\n\xff\xff\xff\xff\xff\xff\xff\xff").is_err());
    }
}
