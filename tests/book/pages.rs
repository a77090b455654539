//! The pages, read: their code blocks, links and headings.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// A page, or a text beside the book, such as the README.
pub(crate) struct Page {
    /// From the root of the repository, with `/`.
    pub(crate) path: String,
    pub(crate) text: String,
    pub(crate) blocks: Vec<Block>,
    /// Where links and pictures lead, as written.
    pub(crate) links: Vec<String>,
    /// What stands between backticks.
    pub(crate) words: Vec<String>,
    pub(crate) headings: Vec<String>,
}

/// A fenced code block.
pub(crate) struct Block {
    /// What follows the first fence: `rust`, `sh`.
    pub(crate) language: String,
    /// What the comment in the line before says.
    pub(crate) note: Note,
    pub(crate) code: String,
    /// Where the code is in the page.
    pub(crate) span: Range<usize>,
}

/// What a page says of a code block, in a comment in front of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Note {
    /// Nothing.
    None,
    /// `<!-- from PATH: ANCHOR -->`, or `<!-- from PATH -->` for all of a file.
    From { path: String, anchor: Option<String> },
    /// `<!-- run -->`: commands that must succeed.
    Run,
    /// `<!-- prints -->`: lines of what the commands before it print; `…` stands for anything.
    Prints,
    /// `<!-- not run: WHY -->` and `<!-- not compiled: WHY -->`.
    Excused,
}

impl Note {
    fn read(comment: &str) -> Option<Note> {
        let said = comment.trim().strip_prefix("<!--")?.strip_suffix("-->")?.trim();
        if let Some(source) = said.strip_prefix("from ") {
            let (path, anchor) = match source.split_once(": ") {
                Some((path, anchor)) => (path, Some(anchor.to_owned())),
                None => (source, None),
            };
            return Some(Note::From { path: path.to_owned(), anchor });
        }
        match said.split_once(": ") {
            Some(("not run" | "not compiled", _)) => Some(Note::Excused),
            _ if said == "run" => Some(Note::Run),
            _ if said == "prints" => Some(Note::Prints),
            _ => None,
        }
    }
}

impl Page {
    fn read(path: &Path) -> Page {
        let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        let relative = path.strip_prefix(root()).expect("in the repository");
        let mut page = Page {
            path: relative.to_string_lossy().replace('\\', "/"),
            text: text.clone(),
            blocks: Vec::new(),
            links: Vec::new(),
            words: Vec::new(),
            headings: Vec::new(),
        };
        let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
        let (mut note, mut is_heading) = (Note::None, false);
        for (event, span) in Parser::new_ext(&text, options).into_offset_iter() {
            match event {
                Event::Html(html) => note = Note::read(&html).unwrap_or(Note::None),
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => {
                    let note = std::mem::replace(&mut note, Note::None);
                    let span = code_of(&text, span);
                    let (language, code) = (language.into_string(), text[span.clone()].to_owned());
                    page.blocks.push(Block { language, note, code, span });
                }
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    page.links.push(dest_url.into_string());
                }
                Event::Start(Tag::Heading { .. }) => {
                    is_heading = true;
                    page.headings.push(String::new());
                }
                Event::End(TagEnd::Heading(_)) => is_heading = false,
                Event::Text(words) | Event::Code(words) if is_heading => {
                    page.headings.last_mut().expect("a heading").push_str(&words);
                }
                Event::Code(word) => page.words.push(word.into_string()),
                Event::Start(Tag::Paragraph) => note = Note::None,
                _ => {}
            }
        }
        page
    }

    /// The anchors of its headings, as mdBook and Git hosts name them.
    pub(crate) fn anchors(&self) -> Vec<String> {
        let keeps = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
        let anchor = |heading: &String| {
            heading.to_lowercase().chars().filter(keeps).collect::<String>().replace(' ', "-")
        };
        self.headings.iter().map(anchor).collect()
    }
}

/// Where the code of a fenced block is: without the lines of the fences.
fn code_of(text: &str, block: Range<usize>) -> Range<usize> {
    let whole = text[block.clone()].trim_end();
    let start = whole.find('\n').expect("a fence") + 1;
    let end = whole.rfind('\n').expect("a closing fence") + 1;
    block.start + start..block.start + end
}

/// Where the sources are.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read_folder(folder: &str) -> Vec<Page> {
    let files = fs::read_dir(root().join(folder)).expect("a folder");
    let mut paths: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    paths.sort();
    paths.iter().map(|path| Page::read(path)).collect()
}

/// The pages of the book; its table of contents is not one.
pub(crate) fn book() -> Vec<Page> {
    let mut pages = read_folder("docs");
    pages.extend(read_folder("docs/decisions"));
    pages.retain(|page| page.path != "docs/SUMMARY.md");
    assert!(pages.len() > 50, "{} pages", pages.len());
    pages
}

/// The table of contents.
pub(crate) fn summary() -> Page {
    Page::read(&root().join("docs/SUMMARY.md"))
}

/// The texts beside the book: `README.md`, `CONTRIBUTING.md`.
pub(crate) fn beside() -> Vec<Page> {
    read_folder("")
}
