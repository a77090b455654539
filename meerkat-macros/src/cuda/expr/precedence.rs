//! How tight C++'s operators bind.

use crate::ir::BinaryOp;

/// C++ precedence: higher binds tighter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Precedence {
    Any,
    Select,
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equality,
    Relation,
    Shift,
    Sum,
    Product,
    Unary,
    Postfix,
}

impl Precedence {
    pub(super) fn of(op: BinaryOp) -> Precedence {
        use BinaryOp::*;
        match op {
            LogicalOr => Precedence::Or,
            LogicalAnd => Precedence::And,
            BinaryOp::Or => Precedence::BitOr,
            Xor => Precedence::BitXor,
            BinaryOp::And => Precedence::BitAnd,
            Eq | Ne => Precedence::Equality,
            Lt | Le | Gt | Ge => Precedence::Relation,
            Shl | Shr => Precedence::Shift,
            Add | Sub => Precedence::Sum,
            Mul | Div | Rem => Precedence::Product,
        }
    }

    /// What the right operand of a left-associative operator must exceed.
    pub(super) fn tighter(self) -> Precedence {
        use Precedence::*;
        match self {
            Any => Select,
            Select => Or,
            Or => And,
            And => BitOr,
            BitOr => BitXor,
            BitXor => BitAnd,
            BitAnd => Equality,
            Equality => Relation,
            Relation => Shift,
            Shift => Sum,
            Sum => Product,
            Product => Unary,
            Unary | Postfix => Postfix,
        }
    }
}
