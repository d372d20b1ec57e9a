//! A binary heap of variables by activity.

/// Variables, the most active first; ties go to the smaller number.
#[derive(Clone, Debug, Default)]
pub(super) struct Heap {
    vars: Vec<u32>,
    /// The position of each variable.
    places: Vec<Option<u32>>,
}

impl Heap {
    /// Adds a variable unless the heap contains it.
    pub(super) fn insert(&mut self, var: u32, activity: &[f64]) {
        if self.places.len() <= var as usize {
            self.places.resize(var as usize + 1, None);
        }
        if self.places[var as usize].is_none() {
            self.vars.push(var);
            self.up(self.vars.len() - 1, activity);
        }
    }

    /// Must be called when a variable has become more active.
    pub(super) fn moved_up(&mut self, var: u32, activity: &[f64]) {
        if let Some(place) = self.places[var as usize] {
            self.up(place as usize, activity);
        }
    }

    /// Removes and returns the most active variable.
    pub(super) fn pop(&mut self, activity: &[f64]) -> Option<u32> {
        let first = *self.vars.first()?;
        let last = self.vars.pop()?;
        self.places[first as usize] = None;
        if last != first {
            self.vars[0] = last;
            self.down(0, activity);
        }
        Some(first)
    }

    fn is_before(a: u32, b: u32, activity: &[f64]) -> bool {
        let (x, y) = (activity[a as usize], activity[b as usize]);
        x > y || (x == y && a < b)
    }

    fn up(&mut self, place: usize, activity: &[f64]) {
        let (mut place, var) = (place, self.vars[place]);
        while place > 0 && Heap::is_before(var, self.vars[(place - 1) / 2], activity) {
            self.put(place, self.vars[(place - 1) / 2]);
            place = (place - 1) / 2;
        }
        self.put(place, var);
    }

    fn down(&mut self, place: usize, activity: &[f64]) {
        let (mut place, var) = (place, self.vars[place]);
        loop {
            let children = [2 * place + 1, 2 * place + 2].into_iter().filter(|at| *at < self.vars.len());
            let best = children
                .reduce(|a, b| if Heap::is_before(self.vars[b], self.vars[a], activity) { b } else { a });
            match best {
                Some(child) if Heap::is_before(self.vars[child], var, activity) => {
                    self.put(place, self.vars[child]);
                    place = child;
                }
                _ => break,
            }
        }
        self.put(place, var);
    }

    fn put(&mut self, place: usize, var: u32) {
        self.vars[place] = var;
        self.places[var as usize] = Some(place as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_active_comes_first() {
        let mut activity = vec![1.0, 5.0, 3.0, 5.0, 0.0];
        let mut heap = Heap::default();
        (0..5).for_each(|var| heap.insert(var, &activity));
        heap.insert(2, &activity);
        activity[4] = 9.0;
        heap.moved_up(4, &activity);
        let order: Vec<u32> = std::iter::from_fn(|| heap.pop(&activity)).collect();
        assert_eq!(order, [4, 1, 3, 2, 0]);
    }
}
