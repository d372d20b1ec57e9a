//! A file as a list of lines.

use crate::fault::Faults;
use crate::ids::Ids;
use crate::reader::Reader;
use crate::{BtorDialect, BtorFault, BtorLine, FaultKinds, LineId, Operand};

/// A file: its bytes, its lines with their parts, and its faults.
pub struct BtorFile {
    pub(crate) text: Vec<u8>,
    pub(crate) dialect: BtorDialect,
    pub(crate) lines: Vec<BtorLine>,
    pub(crate) operands: Vec<Operand>,
    pub(crate) ids: Ids,
    pub(crate) faults: Faults,
}

impl BtorFile {
    /// Reads any bytes. Linear in their number, except that ids larger than the length of the file cost a logarithm.
    pub fn read(text: &[u8], dialect: BtorDialect) -> BtorFile {
        Reader::new(text, dialect).run()
    }

    /// The bytes it was read from. To print the file, copy them.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The format it was read as.
    pub fn dialect(&self) -> BtorDialect {
        self.dialect
    }

    /// All lines that define something, in file order.
    pub fn lines(&self) -> &[BtorLine] {
        &self.lines
    }

    /// The ids of [`Self::lines`].
    pub fn line_ids(&self) -> impl DoubleEndedIterator<Item = LineId> + ExactSizeIterator + use<> {
        (0..self.lines.len()).map(LineId::new)
    }

    /// One line.
    pub fn line(&self, line: LineId) -> &BtorLine {
        &self.lines[line.index()]
    }

    /// The fields of `line` after its operator. None if the operator is unknown.
    pub fn operands(&self, line: &BtorLine) -> &[Operand] {
        &self.operands[line.operands.0 as usize..line.operands.1 as usize]
    }

    /// The line with this id; the first one if there are several.
    pub fn by_id(&self, id: u64) -> Option<LineId> {
        self.ids.get(id)
    }

    /// The faults in the order of the text. Only the first 64 of each kind are kept.
    pub fn faults(&self) -> &[BtorFault] {
        &self.faults.list
    }

    /// Every kind of fault it has.
    pub fn fault_kinds(&self) -> FaultKinds {
        self.faults.kinds
    }

    /// Number of faults, including those that were not kept.
    pub fn n_faults(&self) -> u64 {
        self.faults.n_faults()
    }
}
