//! Datatypes: enumerations, records, alternatives, recursive and mutually recursive ones, parametric ones.

use super::arena::TermIdx;
use super::builder::Builder;
use super::catalog::OpRef;
use super::functions::Function;
use super::universe::{Declared, Kind};
use nub_smtlib::{SmtSort, SortId};

/// A constructor of one instance.
#[derive(Clone, Debug)]
pub(super) struct Constructor {
    pub name: String,
    /// Selectors and their sorts.
    pub fields: Vec<(String, SortId)>,
}

/// A datatype, for one instance of its parameters.
#[derive(Clone, Debug)]
pub(super) struct Datatype {
    pub sort: SortId,
    pub constructors: Vec<Constructor>,
    /// Whether it has parameters: then a constructor without arguments needs `as`.
    pub is_parametric: bool,
}

/// A field before its sort is known.
#[derive(Clone, Copy)]
enum Field {
    Sort(SortId),
    /// The datatype with this index in the same declaration.
    Own(usize),
    /// The parameter.
    Param,
}

/// A declaration under construction: constructors per datatype.
type Plan = Vec<Vec<Vec<Field>>>;

impl Builder<'_> {
    /// Declares one to three datatypes, each with a different shape.
    pub(super) fn declare_datatypes(&mut self) {
        let mut shapes = [0, 1, 2, 3, 4, 5, 6];
        self.rng.shuffle(&mut shapes);
        let n_shapes = self.rng.between(1, 3) as usize;
        for &shape in &shapes[..n_shapes] {
            let plan = self.plan(shape);
            let param = (shape >= 5).then(|| self.some_sort());
            self.declare_plan(&plan, param);
        }
    }

    fn plan(&mut self, shape: u32) -> Plan {
        let mut field = || Field::Sort(self.some_sort());
        match shape {
            0 => vec![vec![Vec::new(); 3]],
            1 => vec![vec![vec![field(), field()]]],
            2 => vec![vec![vec![field()], vec![field(), field()], Vec::new()]],
            3 => vec![vec![Vec::new(), vec![field(), Field::Own(0)]]],
            // Trees, and lists of trees.
            4 => {
                vec![vec![vec![field(), Field::Own(1)]], vec![Vec::new(), vec![Field::Own(0), Field::Own(1)]]]
            }
            5 => vec![vec![Vec::new(), vec![Field::Param]]],
            _ => vec![vec![Vec::new(), vec![Field::Param, Field::Own(0)]]],
        }
    }

    fn declare_plan(&mut self, plan: &Plan, param: Option<SortId>) {
        let mut own = Vec::with_capacity(plan.len());
        let mut names = Vec::with_capacity(plan.len());
        for _ in plan {
            let name = self.symbol("D");
            let Declared { id, .. } = self.universe.declare(&name, Kind::Data);
            own.push(self.universe.add(SmtSort::User(id, param.into_iter().collect())));
            names.push(name);
        }
        let mut bodies = Vec::with_capacity(plan.len());
        for (at, constructors) in plan.iter().enumerate() {
            let made: Vec<Constructor> =
                constructors.iter().map(|fields| self.constructor(fields, &own, param)).collect();
            bodies.push(self.body_text(&made, constructors, &names, param));
            self.add_members(own[at], &made, param.is_some());
            self.datatypes.push(Datatype {
                sort: own[at],
                constructors: made,
                is_parametric: param.is_some(),
            });
        }
        let arity = u32::from(param.is_some());
        let command = match names.as_slice() {
            [name] if self.rng.percent(40) => format!("(declare-datatype {name} {})\n", bodies[0]),
            _ => {
                let heads: Vec<String> = names.iter().map(|name| format!("({name} {arity})")).collect();
                format!("(declare-datatypes ({}) ({}))\n", heads.join(" "), bodies.join(" "))
            }
        };
        self.declarations.extend_from_slice(command.as_bytes());
    }

    fn constructor(&mut self, fields: &[Field], own: &[SortId], param: Option<SortId>) -> Constructor {
        let name = self.plain_symbol("c");
        let mut made = Vec::with_capacity(fields.len());
        for field in fields {
            let sort = match *field {
                Field::Sort(sort) => sort,
                Field::Own(at) => own[at],
                Field::Param => param.unwrap_or(SortId::BOOL),
            };
            made.push((self.symbol("sel"), sort));
        }
        Constructor { name, fields: made }
    }

    /// Constructors as declared: with the name of the parameter instead of its value.
    fn body_text(
        &self,
        made: &[Constructor],
        plan: &[Vec<Field>],
        names: &[String],
        param: Option<SortId>,
    ) -> String {
        let mut texts = Vec::with_capacity(made.len());
        for (constructor, fields) in made.iter().zip(plan) {
            let mut text = format!("({}", constructor.name);
            for ((selector, sort), field) in constructor.fields.iter().zip(fields) {
                let sort = match *field {
                    Field::Param => "T".to_owned(),
                    Field::Own(at) if param.is_some() => format!("({} T)", names[at]),
                    _ => self.universe.text(*sort).to_owned(),
                };
                text.push_str(&format!(" ({selector} {sort})"));
            }
            text.push(')');
            texts.push(text);
        }
        match param {
            Some(_) => format!("(par (T) ({}))", texts.join(" ")),
            None => format!("({})", texts.join(" ")),
        }
    }

    /// Constructors with arguments and selectors are used like functions.
    fn add_members(&mut self, sort: SortId, constructors: &[Constructor], is_parametric: bool) {
        for constructor in constructors {
            let params: Vec<SortId> = constructor.fields.iter().map(|field| field.1).collect();
            let name = if is_parametric && params.is_empty() {
                format!("(as {} {})", constructor.name, self.universe.text(sort))
            } else {
                constructor.name.clone()
            };
            self.members.push(Function { name, params, result: sort });
            for (selector, result) in &constructor.fields {
                self.members.push(Function { name: selector.clone(), params: vec![sort], result: *result });
            }
        }
    }

    /// A value built from a constructor whose arguments have literals and are not datatypes, so that it terminates.
    pub(super) fn base_value(&mut self, sort: SortId) -> Option<String> {
        let datatype = self.datatypes.iter().find(|datatype| datatype.sort == sort)?;
        let is_flat = |constructor: &&Constructor| {
            constructor.fields.iter().all(|(_, field)| self.universe.kind(*field) != Kind::Data)
        };
        let flat: Vec<Constructor> = datatype.constructors.iter().filter(is_flat).cloned().collect();
        let needs_as = datatype.is_parametric;
        if flat.is_empty() {
            return None;
        }
        let constructor = &flat[self.rng.below(flat.len() as u32) as usize];
        if constructor.fields.is_empty() && needs_as {
            return Some(format!("(as {} {})", constructor.name, self.universe.text(sort)));
        }
        if constructor.fields.is_empty() {
            return Some(constructor.name.clone());
        }
        let values: Option<Vec<String>> =
            constructor.fields.iter().map(|(_, field)| self.literal(*field)).collect();
        Some(format!("({} {})", constructor.name, values?.join(" ")))
    }

    /// `((_ is C) t)`.
    pub(super) fn tester(&mut self, op: OpRef) -> Option<TermIdx> {
        let datatype = self.some_datatype()?;
        let constructor = &datatype.constructors[self.rng.below(datatype.constructors.len() as u32) as usize];
        let arg = self.operand(datatype.sort);
        Some(self.apply_text(&format!("(_ {} {})", op.name, constructor.name), &[arg], &[], SortId::BOOL))
    }

    pub(super) fn some_datatype(&mut self) -> Option<Datatype> {
        let n_datatypes = self.datatypes.len() as u32;
        (n_datatypes > 0).then(|| self.datatypes[self.rng.below(n_datatypes) as usize].clone())
    }
}
