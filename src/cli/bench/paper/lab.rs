//! Where experiments run: the device, how large they are, and what was measured already.
//!
//! Several figures of a paper show the same runs in different ways, so that runs are kept: each is
//! made once.

use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;

use meerkat::runtime::{Device, Orientation, SlabOptions};

use super::graphs::Dataset;
use super::records::{self, Records};
use crate::cli::algorithms::{Answers, DynamicEntry, named};
use crate::cli::bench::algorithms::{StaticCase, StaticRow};
use crate::cli::bench::batches::{Batches, Choice, Kind};
use crate::cli::bench::dynamic::{DynamicCase, DynamicRow, RankSettings};
use crate::cli::bench::edges::EdgeSample;
use crate::cli::bench::figures::UpdateFigures;
use crate::cli::bench::update_plan::Plan;
use crate::cli::bench::workload::{ArcList, Workload};
use crate::cli::container::DynamicContainer;
use crate::cli::failure::Failure;
use crate::cli::input::{DirectionArgs, ReadArgs};
use crate::cli::progress::Progress;

/// Where experiments run.
pub(super) struct Lab<'a> {
    pub(super) device: &'a Device,
    pub(super) progress: &'a Progress,
    pub(super) quick: bool,
    pub(super) direction: DirectionArgs,
    pub(super) read: &'a ReadArgs,
    followed: HashMap<String, Rc<Vec<DynamicRow>>>,
    updated: HashMap<String, Rc<UpdateFigures>>,
    computed: HashMap<String, Rc<Vec<StaticRow>>>,
    /// The graph that was read last.
    arcs: Option<(String, Rc<ArcList>)>,
    records: Option<(String, Rc<Records>)>,
    answers: Option<(String, Rc<Answers>)>,
    edges: Option<(String, Rc<EdgeSample<()>>)>,
}

/// An algorithm that follows batches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Follow {
    pub(super) algorithm: &'static str,
    pub(super) kind: Kind,
    pub(super) size: usize,
    pub(super) count: usize,
    /// Insertions in a hundred updates of a mixed batch, between any two vertices.
    pub(super) inserted: Option<u8>,
    pub(super) ranks: RankSettings,
}

impl<'a> Lab<'a> {
    pub(super) fn new(
        device: &'a Device,
        progress: &'a Progress,
        quick: bool,
        (direction, read): (DirectionArgs, &'a ReadArgs),
    ) -> Self {
        Self {
            device,
            progress,
            quick,
            direction,
            read,
            followed: HashMap::new(),
            updated: HashMap::new(),
            computed: HashMap::new(),
            arcs: None,
            records: None,
            answers: None,
            edges: None,
        }
    }

    /// Gives back the memory of the graph before.
    pub(super) fn forget(&mut self) {
        (self.arcs, self.records, self.answers, self.edges) = (None, None, None, None);
    }

    /// A size of the paper; of a quick run a part of it.
    pub(super) fn size(&self, full: u32, part: u32) -> u32 {
        if self.quick { (full / part).max(1) } else { full }
    }

    /// How often something is measured.
    pub(super) fn rounds(&self) -> usize {
        if self.quick { 1 } else { 5 }
    }

    pub(super) fn workload(&self, dataset: &Dataset) -> Result<Workload, Failure> {
        let Self { direction, read, device, progress, .. } = *self;
        Workload::open(&dataset.source, direction, read, device, progress)
    }

    /// The arcs of a graph.
    pub(super) fn arcs(&mut self, dataset: &Dataset) -> Result<Rc<ArcList>, Failure> {
        let used = dataset.used();
        if let Some((name, arcs)) = &self.arcs
            && *name == used
        {
            return Ok(arcs.clone());
        }
        self.arcs = None;
        let arcs = Rc::new(self.workload(dataset)?.list(self.device)?);
        self.arcs = Some((used, arcs.clone()));
        Ok(arcs)
    }

    /// What plain code answers of the graph of a workload.
    pub(super) fn answers(
        &mut self,
        dataset: &Dataset,
        workload: &Workload,
    ) -> Result<Rc<Answers>, Failure> {
        let used = dataset.used();
        if let Some((name, answers)) = &self.answers
            && *name == used
        {
            return Ok(answers.clone());
        }
        self.answers = None;
        let answers = Rc::new(Answers::of(workload.simple(self.device)?));
        self.answers = Some((used, answers.clone()));
        Ok(answers)
    }

    /// The records of a graph in the order of their times.
    pub(super) fn records(&mut self, dataset: &Dataset) -> Result<Rc<Records>, Failure> {
        let used = dataset.used();
        if let Some((name, found)) = &self.records
            && *name == used
        {
            return Ok(found.clone());
        }
        self.records = None;
        let found = Rc::new(records::read(self, dataset)?);
        self.records = Some((used, found.clone()));
        Ok(found)
    }

    /// The edges of a graph, and more of their kind.
    pub(super) fn edges(&mut self, dataset: &Dataset) -> Result<Rc<EdgeSample<()>>, Failure> {
        let used = dataset.used();
        if let Some((name, edges)) = &self.edges
            && *name == used
        {
            return Ok(edges.clone());
        }
        self.edges = None;
        let Self { read, device, progress, .. } = *self;
        let edges = Rc::new(EdgeSample::open(&dataset.source, read, device, progress, |_| ())?);
        self.edges = Some((used, edges.clone()));
        Ok(edges)
    }

    /// Follows batches of a graph; a row for each way.
    pub(super) fn follow(
        &mut self,
        dataset: &Dataset,
        follow: Follow,
    ) -> Result<Rc<Vec<DynamicRow>>, Failure> {
        let key = format!("{} {follow:?}", dataset.used());
        if let Some(rows) = self.followed.get(&key) {
            return Ok(rows.clone());
        }
        let arcs = self.arcs(dataset)?;
        let choice = match follow.inserted {
            Some(_) => Choice::RandomPairs,
            None => Choice::OfTheGraph,
        };
        let rows = Rc::new(self.follow_in(&arcs, follow, choice)?);
        self.followed.insert(key, rows.clone());
        Ok(rows)
    }

    /// Follows the last records of a graph.
    pub(super) fn follow_records(
        &mut self,
        dataset: &Dataset,
        follow: Follow,
    ) -> Result<Rc<Vec<DynamicRow>>, Failure> {
        let key = format!("records of {} {follow:?}", dataset.used());
        if let Some(rows) = self.followed.get(&key) {
            return Ok(rows.clone());
        }
        let records = self.records(dataset)?;
        let choice = Choice::Records(&records.in_order);
        let rows = Rc::new(self.follow_in(&records.arcs, follow, choice)?);
        self.followed.insert(key, rows.clone());
        Ok(rows)
    }

    fn follow_in(
        &self,
        arcs: &ArcList,
        follow: Follow,
        choice: Choice<'_>,
    ) -> Result<Vec<DynamicRow>, Failure> {
        let layout = SlabOptions::DEFAULT.oriented(Orientation::Both);
        let case = self.dynamic_case(arcs, follow, layout, choice);
        entry(follow.algorithm)?.bench_dynamic(&case)
    }

    /// Batches for something that is no algorithm of the command.
    pub(super) fn dynamic_case<'b>(
        &'b self,
        arcs: &'b ArcList,
        follow: Follow,
        layout: SlabOptions,
        choice: Choice<'b>,
    ) -> DynamicCase<'b> {
        self.progress.work(follow.algorithm);
        let Follow { algorithm, kind, size, count, inserted, ranks } = follow;
        let inserted = inserted.unwrap_or(50);
        DynamicCase {
            algorithm,
            container: DynamicContainer::Slabs,
            ranks,
            workload: arcs,
            batches: Batches { kind, size, count, inserted, choice },
            layout,
            device: self.device,
        }
    }

    /// Takes the figures of a plan.
    pub(super) fn update(
        &mut self,
        dataset: &Dataset,
        plan: &Plan,
    ) -> Result<Rc<UpdateFigures>, Failure> {
        let key = format!("{} {plan:?}", dataset.used());
        if let Some(figures) = self.updated.get(&key) {
            return Ok(figures.clone());
        }
        let graph = self.edges(dataset)?;
        let figures = Rc::new(plan.measure(&graph, self.device, self.progress)?);
        self.updated.insert(key, figures.clone());
        Ok(figures)
    }

    /// Computes all variants of an algorithm from scratch; the answer is that of plain code.
    pub(super) fn compute(
        &mut self,
        dataset: &Dataset,
        algorithm: &'static str,
        (container, load_factor): (DynamicContainer, f32),
    ) -> Result<Rc<Vec<StaticRow>>, Failure> {
        let key = format!("{} {algorithm} {container:?} {load_factor}", dataset.used());
        if let Some(rows) = self.computed.get(&key) {
            return Ok(rows.clone());
        }
        let entry = named(algorithm).map_err(|_| unknown(algorithm))?;
        let mut workload = self.workload(dataset)?;
        workload.load_factor = load_factor;
        let answers = self.answers(dataset, &workload)?;
        let rows = self.with_case((&workload, &answers), algorithm, container, |case| {
            entry.bench_static(case)
        })?;
        let rows = Rc::new(rows);
        self.computed.insert(key, rows.clone());
        Ok(rows)
    }

    /// A case from scratch for something that is no algorithm of the command.
    pub(super) fn with_case<T>(
        &self,
        (workload, answers): (&Workload, &Answers),
        algorithm: &'static str,
        container: DynamicContainer,
        measure: impl FnOnce(&StaticCase<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        self.progress.work(algorithm);
        measure(&StaticCase {
            algorithm,
            container,
            repeat: self.rounds(),
            workload,
            arcs: &Cell::new(0),
            expected: Some(answers),
            device: self.device,
        })
    }
}

fn entry(algorithm: &'static str) -> Result<&'static dyn DynamicEntry, Failure> {
    let entry = named(algorithm).ok().and_then(|entry| entry.dynamic());
    entry.ok_or_else(|| unknown(algorithm))
}

fn unknown(algorithm: &str) -> Failure {
    Failure::UnknownAlgorithm { name: algorithm.to_owned(), known: "those of `meerkat run`".into() }
}
