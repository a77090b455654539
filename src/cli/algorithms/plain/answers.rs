//! What plain code answered: each question once.

use std::any::Any;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use meerkat::runtime::read::SimpleGraph;

/// A graph, and what plain code answered of it. Several containers are asked the same.
pub(in crate::cli) struct Answers {
    graph: SimpleGraph,
    known: RefCell<HashMap<String, Rc<dyn Any>>>,
}

impl Answers {
    pub(in crate::cli) fn of(graph: SimpleGraph) -> Self {
        Self { graph, known: RefCell::default() }
    }

    pub(in crate::cli) fn graph(&self) -> &SimpleGraph {
        &self.graph
    }

    /// The answer to a question, which has one type; computed when it is asked first.
    pub(in crate::cli) fn to<T: 'static>(
        &self,
        question: impl Into<String>,
        compute: impl FnOnce(&SimpleGraph) -> T,
    ) -> Rc<T> {
        let question = question.into();
        let known = self.known.borrow().get(&question).cloned();
        if let Some(answer) = known.and_then(|answer| answer.downcast().ok()) {
            return answer;
        }
        let answer = Rc::new(compute(&self.graph));
        self.known.borrow_mut().insert(question, answer.clone());
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_answered_once() {
        let (sources, destinations) = (vec![0], vec![1]);
        let graph = SimpleGraph { n: 2, sources, destinations, weights: None, m_undirected: 1 };
        let answers = Answers::of(graph);
        assert_eq!(*answers.to("vertices", |graph| graph.n), 2);
        assert_eq!(*answers.to("vertices", |_| 7_u32), 2);
        assert_eq!(*answers.to("arcs", |graph| graph.sources.len()), 1);
    }
}
