//! A file as its lines.

use crate::fault::Faults;
use crate::ids::Ids;
use crate::reader::Reader;
use crate::{BtorDialect, BtorFault, BtorLine, FaultKinds, LineId, Operand};

/// A file: its bytes, its lines with their parts, and what is wrong with it.
pub struct BtorFile {
    pub(crate) text: Vec<u8>,
    pub(crate) dialect: BtorDialect,
    pub(crate) lines: Vec<BtorLine>,
    pub(crate) operands: Vec<Operand>,
    pub(crate) ids: Ids,
    pub(crate) faults: Faults,
}

impl BtorFile {
    /// Reads any bytes. Linear in their number but for ids beyond the length of the file, which cost a logarithm.
    pub fn read(text: &[u8], dialect: BtorDialect) -> BtorFile {
        Reader::new(text, dialect).run()
    }

    /// The bytes it was read from. Printing is copying them.
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

    /// The numbers of [`Self::lines`].
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

    /// The line with this id; the first if there are several.
    pub fn by_id(&self, id: u64) -> Option<LineId> {
        self.ids.get(id)
    }

    /// What is wrong, by place. Of one kind only the first 64 are kept.
    pub fn faults(&self) -> &[BtorFault] {
        &self.faults.list
    }

    /// Every kind of fault it has.
    pub fn fault_kinds(&self) -> FaultKinds {
        self.faults.kinds
    }

    /// Number of faults, those that were not kept included.
    pub fn n_faults(&self) -> u64 {
        self.faults.n_faults()
    }
}
