//! Checkpoints: answers that go on as if nothing had been, files that are not whole, processes that
//! are killed.

mod damage;
mod disk;
mod folder;
mod killed;
mod ranks;
mod several;
mod streams;
mod window;
