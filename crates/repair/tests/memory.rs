//! Edits that make a function do nothing are never ranked first, wherever its results are: in structures, behind pointers, in globals.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use nub_repair::Ranking;

const HEAD: &str = "int nondet_int(void); void nub_assume(int); void __CPROVER_assert(int, const char *);";

#[track_caller]
fn ranked(text: &str) -> Ranking {
    common::rank_text(&format!("{HEAD}\n# 1 \"test.c\"\n{text}")).unwrap()
}

/// Line, what is replaced, by what; of the lines with an edit.
fn edits(ranking: &Ranking) -> Vec<(u32, &str, &str)> {
    let mut found = Vec::new();
    for line in &ranking.lines {
        for edit in line.edit.iter().chain(&line.alternatives) {
            found.push((line.line, edit.old.as_str(), edit.new.as_str()));
        }
    }
    found
}

/// The heater must be off when the ignition is; `||` should be `&&`. An edit that keeps the heater off forever is not a repair.
#[test]
fn a_state_machine_behind_a_pointer() {
    let found = ranked(
        "struct ctl { int level, timer, temp; };
static void step(struct ctl *c, int ign, int temp) {
  c->temp = temp;
  if (ign || temp < 18) {
    c->level = 2;
    if (c->timer > 600) c->level = 1;
    c->timer++;
  } else {
    c->level = 0;
    c->timer = 0;
  }
}
int main(void) {
  struct ctl c;
  c.level = 0; c.temp = 0; c.timer = nondet_int();
  int ign = nondet_int(), temp = nondet_int();
  nub_assume(c.timer >= 0 && c.timer < 1000 && temp > -40 && temp < 60 && (ign == 0 || ign == 1));
  step(&c, ign, temp);
  __CPROVER_assert(ign || c.level == 0, \"\");
  return 0;
}",
    );
    let list = edits(&found);
    assert_eq!(found.lines[0].line, 4, "{list:?}");
    assert!(list.iter().any(|(line, ..)| *line == 4), "{list:?}");
    // These switch the heater off, whatever the ignition is.
    assert!(!list.iter().take(1).any(|(line, ..)| [5, 6].contains(line)), "{list:?}");
}

/// A kernel call that continues although it is called from an interrupt: the `return` is missing. It only changes globals.
#[test]
fn a_kernel_call_that_works_on_globals() {
    let found = ranked(
        "int nesting, locked, count, waiting, error;
static void pend(int timeout) {
  error = 0;
  if (nesting > 0) {
    error = 2;
  }
  if (locked > 0) {
    error = 3;
    return;
  }
  if (count > 0) {
    count--;
    return;
  }
  waiting = timeout + 1;
}
int main(void) {
  nesting = nondet_int(); locked = nondet_int(); count = nondet_int(); waiting = 0;
  int timeout = nondet_int();
  nub_assume(nesting >= 0 && nesting < 9 && locked >= 0 && locked < 9 && count >= 0 && count < 9 && timeout >= 0 && timeout < 99);
  pend(timeout);
  __CPROVER_assert(nesting == 0 || waiting == 0, \"\");
  return 0;
}",
    );
    let list = edits(&found);
    let first = list.first().copied().unwrap_or((0, "", ""));
    // With these nobody ever waits, or the function always returns.
    let does_nothing = [(7, "locked >= 0"), (7, "locked <= 0"), (11, "count >= 0")];
    assert!(!does_nothing.iter().any(|(line, new)| first.0 == *line && first.2.contains(new)), "{list:?}");
    assert!(first.2 != "timeout - 1", "{list:?}");
}

/// The capacity is 4, and `head` may be 4. Refusing every write satisfies the bounds too.
#[test]
fn a_ring_buffer() {
    let found = ranked(
        "struct ring { int head, n, data[4]; };
static int put(struct ring *r, int v) {
  if (r->head < 0 || r->head > 4) return -1;
  r->data[r->head] = v;
  r->head = (r->head + 1) % 4;
  r->n++;
  return 0;
}
int main(void) {
  struct ring r = { 0, 0, { 0 } };
  r.head = nondet_int();
  put(&r, nondet_int());
  return 0;
}",
    );
    let list = edits(&found);
    let (line, old, new) = *list.first().unwrap();
    assert_eq!(line, 3, "{list:?}");
    assert!(new != "0" || old != "4", "{list:?}");
    assert!(new == ">=" || new == "3" || new.contains(">= 4") || new.contains("> 3"), "{list:?}");
}

/// One entry of a table is wrong, and the table is filled in every run. The right number changes what the first call leaves in memory in every run,
/// and what the program does only where it was wrong: that is not damage.
#[test]
fn a_table_that_a_later_call_reads() {
    let found = ranked(
        "static int limits[4];
static void fill(void) {
  limits[0] = 400;
  limits[1] = 500;
  limits[2] = 641;
  limits[3] = 740;
}
static int limit(int level) {
  return limits[level];
}
int main(void) {
  int level = nondet_int();
  nub_assume(level >= 0 && level < 4);
  fill();
  int found = limit(level);
  __CPROVER_assert(level != 0 || found == 400, \"\");
  __CPROVER_assert(level != 2 || found == 640, \"\");
  return 0;
}",
    );
    let line = &found.lines[0];
    let edit = line.edit.as_ref().unwrap();
    assert_eq!((line.line, edit.new.as_str(), edit.damage), (5, "640", 0.0), "{found:?}");
}

/// The length of the list is not updated. Never removing anything satisfies the property, and is not a repair; no small edit is.
#[test]
fn a_list_that_keeps_its_elements() {
    let found = ranked(
        "struct node { struct node *next; int key; };
struct list { struct node *head; int len; };
static void drop(struct list *l, int key) {
  if (l->head && l->head->key == key) {
    l->head = l->head->next;
  }
}
static int count(const struct list *l) {
  int n = 0;
  for (const struct node *p = l->head; p; p = p->next) n++;
  return n;
}
int main(void) {
  struct node b = { 0, nondet_int() }, a = { &b, nondet_int() };
  struct list l = { &a, 2 };
  drop(&l, nondet_int());
  __CPROVER_assert(count(&l) == l.len, \"\");
  return 0;
}",
    );
    let is_off = |line: &&nub_repair::RankedLine| {
        line.edit.as_ref().is_some_and(|edit| edit.new.contains("&& !(l->head)") && !edit.is_vacuous)
    };
    assert!(found.lines.iter().find(is_off).is_none(), "{:?}", edits(&found));
}
