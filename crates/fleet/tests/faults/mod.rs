//! Faults that may happen in a fleet.

use crate::common::{Process, Server};
use nub_random::Rng;
use nub_test_kit::Proxy;

/// Something that goes wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The server is killed and started again with its disk.
    ServerKilled,
    /// A worker is killed, and another one takes its place.
    WorkerKilled,
    /// A worker is suspended with its leases, and continues when others have done them.
    WorkerFrozen,
    /// A worker's connection is closed, and it cannot connect until the next fault.
    WorkerCut,
    /// A worker's connection carries nothing until the next fault; then everything arrives late.
    WorkerStalled,
    /// As before, but the data in transit is lost.
    WorkerStalledAndCut,
    /// The coordinator's connection is closed; it may connect again.
    CoordinatorCut,
    /// The coordinator's connection carries nothing for a while.
    CoordinatorStalled,
    /// The coordinator's connection carries nothing until it gives up and makes another one.
    CoordinatorGivesUp,
    /// All connections are closed at once.
    AllCut,
}

impl Fault {
    pub const ALL: [Fault; 10] = [
        Fault::ServerKilled,
        Fault::WorkerKilled,
        Fault::WorkerFrozen,
        Fault::WorkerCut,
        Fault::WorkerStalled,
        Fault::WorkerStalledAndCut,
        Fault::CoordinatorCut,
        Fault::CoordinatorStalled,
        Fault::CoordinatorGivesUp,
        Fault::AllCut,
    ];
}

/// All faults in rounds, each round in a different order, and a number with each.
pub struct Shuffled {
    rng: Rng,
    round: Vec<Fault>,
}

pub fn shuffled(seed: u64) -> Shuffled {
    Shuffled { rng: Rng::new(seed), round: Vec::new() }
}

impl Shuffled {
    /// The next fault, and a number that selects whom it affects.
    pub fn next(&mut self) -> (Fault, usize) {
        if self.round.is_empty() {
            self.round.extend(Fault::ALL);
        }
        let index = self.rng.below(self.round.len());
        (self.round.swap_remove(index), self.rng.below(1 << 30))
    }
}

/// A worker behind a proxy.
struct Machine {
    name: &'static str,
    link: Proxy,
    process: Process,
}

/// A server, a proxy for the coordinator, and workers.
pub struct Field {
    // Workers end before the server that they talk to.
    machines: Vec<Machine>,
    pub coordinator: Proxy,
    server: Server,
    /// The worker affected until the next fault.
    ailing: Option<(usize, Fault)>,
}

impl Field {
    pub fn open(names: &[&'static str]) -> Option<Field> {
        let server = Server::open("")?;
        let machine = |&name| {
            let link = Proxy::before(server.port());
            let process = server.worker(name, link.port());
            Machine { name, link, process }
        };
        let machines = names.iter().map(machine).collect();
        Some(Field { machines, coordinator: Proxy::before(server.port()), server, ailing: None })
    }

    /// Ends the last fault, and applies the next one to the worker selected by the number, or to others.
    pub fn strike(&mut self, (fault, number): (Fault, usize)) {
        self.mend();
        let one = number % self.machines.len();
        let machine = &mut self.machines[one];
        match fault {
            Fault::ServerKilled => {
                self.server.kill();
                self.server.start();
            }
            Fault::WorkerKilled => {
                machine.process.kill();
                machine.process = self.server.worker(machine.name, machine.link.port());
            }
            Fault::WorkerFrozen => machine.process.freeze(),
            Fault::WorkerCut => machine.link.cut(),
            Fault::WorkerStalled | Fault::WorkerStalledAndCut => machine.link.stall(),
            Fault::CoordinatorCut => cut_and_mend(&self.coordinator),
            Fault::CoordinatorStalled => {
                self.coordinator.stall();
                self.coordinator.wait_until_held();
                self.coordinator.mend();
            }
            Fault::CoordinatorGivesUp => {
                let n_before = self.coordinator.n_connections();
                self.coordinator.stall();
                self.coordinator.wait_for_connection_after(n_before);
                self.coordinator.mend();
            }
            Fault::AllCut => {
                self.machines.iter().for_each(|machine| cut_and_mend(&machine.link));
                cut_and_mend(&self.coordinator);
            }
        }
        self.ailing = Some((one, fault));
    }

    /// Ends the last fault.
    pub fn mend(&mut self) {
        let Some((one, fault)) = self.ailing.take() else { return };
        let machine = &self.machines[one];
        match fault {
            Fault::WorkerFrozen => machine.process.go_on(),
            Fault::WorkerCut | Fault::WorkerStalled => machine.link.mend(),
            Fault::WorkerStalledAndCut => cut_and_mend(&machine.link),
            _ => {}
        }
    }
}

fn cut_and_mend(link: &Proxy) {
    link.cut();
    link.mend();
}
