//! One Markdown file: its sections and where its links lead.

use std::{collections::HashMap, ops::Range};

use ebbtrace_core::limits::CONTENT_BYTES;
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};

/// Up to this many bytes a file is one memory; a longer one is divided at its headings.
const WHOLE: usize = 8 * 1_024;

/// A part of a file that becomes one memory.
#[derive(Debug, PartialEq)]
pub(super) struct Section {
    /// What names it within the file; empty for the first.
    pub(super) anchor: String,
    /// Its heading.
    pub(super) heading: Option<String>,
    /// Its text.
    pub(super) content: String,
    /// Where its links lead.
    pub(super) targets: Vec<Target>,
}

/// Where a link leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target {
    /// `[[name]]` rather than a path.
    pub(super) wiki: bool,
    /// The name or the relative path; empty for the same file.
    pub(super) to: String,
    /// The heading's anchor, where the link names one.
    pub(super) anchor: String,
}

struct Heading {
    start: usize,
    end: usize,
    level: usize,
    text: String,
}

/// Divides a file's body. `title` goes on top where the body doesn't show it.
pub(super) fn sections(body: &str, title: Option<&str>) -> Vec<Section> {
    let (headings, targets) = survey(body);
    let mut ranges = Vec::new();
    divide(body, &headings, 0..body.len(), 1, &mut ranges);
    let mut taken: HashMap<String, usize> = HashMap::new();
    let mut sections = Vec::new();
    for range in ranges {
        let heading = headings.iter().find(|heading| range.contains(&heading.start)).map(|heading| &heading.text);
        let mut text = body[range.clone()].trim().to_owned();
        if let Some(title) = title.filter(|title| sections.is_empty() && !shows(heading, title)) {
            text = format!("# {title}\n\n{text}").trim().to_owned();
        }
        let mut leads: Vec<Target> = Vec::new();
        for (_, target) in targets.iter().filter(|(at, _)| range.contains(at)) {
            if !leads.contains(target) {
                leads.push(target.clone());
            }
        }
        for (piece, content) in pieces(&text, CONTENT_BYTES).into_iter().enumerate() {
            let name = if sections.is_empty() { String::new() } else { slug(heading.map_or("part", |text| text)) };
            let seen = taken.entry(name.clone()).or_default();
            *seen += 1;
            let anchor = if *seen > 1 { format!("{name}-{seen}") } else { name };
            let targets = if piece == 0 { std::mem::take(&mut leads) } else { Vec::new() };
            sections.push(Section { anchor, heading: heading.cloned(), content: content.to_owned(), targets });
        }
    }
    if let (true, Some(title)) = (sections.is_empty(), title) {
        let content = format!("# {title}");
        sections.push(Section { anchor: String::new(), heading: None, content, targets: Vec::new() });
    }
    sections
}

fn shows(heading: Option<&String>, title: &str) -> bool {
    heading.is_some_and(|heading| heading.trim().eq_ignore_ascii_case(title.trim()))
}

/// Headings that stand by themselves, and every link with its place.
fn survey(body: &str) -> (Vec<Heading>, Vec<(usize, Target)>) {
    let options = Options::ENABLE_WIKILINKS | Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES;
    let (mut headings, mut targets) = (Vec::<Heading>::new(), Vec::new());
    let (mut nested, mut open) = (0_usize, false);
    for (event, range) in Parser::new_ext(body, options).into_offset_iter() {
        match event {
            Event::Start(Tag::BlockQuote(_) | Tag::List(_)) => nested += 1,
            Event::End(TagEnd::BlockQuote(_) | TagEnd::List(_)) => nested = nested.saturating_sub(1),
            Event::Start(Tag::Heading { level, .. }) if nested == 0 => {
                open = true;
                headings.push(Heading {
                    start: range.start,
                    end: range.end,
                    level: level as usize,
                    text: String::new(),
                });
            }
            Event::End(TagEnd::Heading(_)) => open = false,
            Event::Text(text) | Event::Code(text) if open => {
                if let Some(heading) = headings.last_mut() {
                    heading.text.push_str(&text);
                }
            }
            Event::Start(Tag::Link { link_type, dest_url, .. } | Tag::Image { link_type, dest_url, .. }) => {
                targets.extend(target(link_type, &dest_url).map(|target| (range.start, target)));
            }
            _ => {}
        }
    }
    (headings, targets)
}

fn target(link_type: LinkType, url: &str) -> Option<Target> {
    let wiki = matches!(link_type, LinkType::WikiLink { .. });
    let has_scheme = url.split_once(':').is_some_and(|(scheme, _)| scheme.chars().all(|c| c.is_ascii_alphanumeric()));
    if !wiki && (has_scheme || url.starts_with('/')) {
        return None;
    }
    let (to, anchor) = url.split_once('#').unwrap_or((url, ""));
    let (to, anchor) = if wiki { (to.to_owned(), anchor.to_owned()) } else { (decoded(to), decoded(anchor)) };
    Some(Target { wiki, to: to.trim().to_owned(), anchor: slug(&anchor) })
}

/// `%20` as a blank, and so on; what decodes to no UTF-8 stays.
pub(super) fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let escaped =
            (*first == b'%').then(|| text.get(text.len() - tail.len()..text.len() - tail.len() + 2)).flatten();
        match escaped.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// A heading as an anchor, the way code hosts spell it.
pub(super) fn slug(heading: &str) -> String {
    let keep = |c: char| match c {
        c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
        c if c.is_whitespace() => Some('-'),
        _ => None,
    };
    heading.trim().to_lowercase().chars().filter_map(keep).collect()
}

/// Cuts `range` at the headings of `level` and deeper until every part is short, as far as headings allow.
fn divide(body: &str, headings: &[Heading], range: Range<usize>, level: usize, parts: &mut Vec<Range<usize>>) {
    if body[range.clone()].trim().is_empty() {
        return;
    }
    if range.len() <= WHOLE || level > 6 {
        parts.push(range);
        return;
    }
    let mut start = range.start;
    let inside =
        |heading: &&Heading| heading.level == level && heading.start > range.start && heading.start < range.end;
    for heading in headings.iter().filter(inside) {
        // A heading with nothing under it goes with what follows.
        let lone = headings.iter().any(|other| {
            other.start >= start
                && other.end <= heading.start
                && body[start..heading.start].trim() == body[other.start..other.end].trim()
        });
        if !lone {
            divide(body, headings, start..heading.start, level + 1, parts);
            start = heading.start;
        }
    }
    divide(body, headings, start..range.end, level + 1, parts);
}

/// `text` in pieces of at most `limit` bytes, cut between paragraphs, else between lines, else anywhere.
fn pieces(text: &str, limit: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text.trim();
    while rest.len() > limit {
        let window = &rest[..rest.floor_char_boundary(limit)];
        let cut = window.rfind("\n\n").or_else(|| window.rfind('\n')).filter(|cut| *cut > 0).unwrap_or(window.len());
        pieces.push(rest[..cut].trim_end());
        rest = rest[cut..].trim_start();
    }
    if !rest.is_empty() {
        pieces.push(rest);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wiki(to: &str, anchor: &str) -> Target {
        Target { wiki: true, to: to.to_owned(), anchor: anchor.to_owned() }
    }

    fn path(to: &str, anchor: &str) -> Target {
        Target { wiki: false, to: to.to_owned(), anchor: anchor.to_owned() }
    }

    #[test]
    fn a_short_file_is_one_memory_with_its_links() {
        let body = "# A\n\n[[B]] and [[C#Some part|that]], ![[D]], [e](sub/e%20f.md#Top), [web](https://x.y/z.md),\n\
                    `[[not]]`, again [[B]]\n\n```\n[[neither]]\n```\n";
        let sections = sections(body, Some("a"));
        assert_eq!(sections.len(), 1);
        assert_eq!(sections[0].content, body.trim());
        let expected = [wiki("B", ""), wiki("C", "some-part"), wiki("D", ""), path("sub/e f.md", "top")];
        assert_eq!(sections[0].targets, expected);
    }

    #[test]
    fn a_long_file_is_divided_at_headings() {
        let filler = "Words that fill a line of a long file.\n".repeat(150);
        let body = format!("# Title\n\n## One\n{filler}\n## Two\n{filler}[[X]]\n\n## Two\n{filler}\n> # quoted\n");
        let sections = sections(&body, None);
        let anchors: Vec<&str> = sections.iter().map(|section| section.anchor.as_str()).collect();
        assert_eq!(anchors, ["", "two", "two-2"]);
        assert!(sections[0].content.starts_with("# Title\n\n## One\nWords"));
        assert_eq!(sections[1].heading.as_deref(), Some("Two"));
        assert_eq!(sections[1].targets, [wiki("X", "")]);
        let kept: usize = sections.iter().map(|section| section.content.matches("Words").count()).sum();
        assert_eq!(kept, 450);
    }

    #[test]
    fn no_memory_is_over_the_limit() {
        let body = format!("# 긴 글\n\n{}", "문단입니다. ".repeat(12_000));
        let sections = sections(&body, None);
        assert!(sections.len() > 3);
        assert!(sections.iter().all(|section| section.content.len() <= CONTENT_BYTES && !section.content.is_empty()));
        assert_eq!((sections[0].anchor.as_str(), sections[1].anchor.as_str()), ("", "긴-글"));
        assert_eq!(sections[2].anchor, "긴-글-2");
    }

    #[test]
    fn a_title_is_shown_once() {
        assert_eq!(sections("Text", Some("T"))[0].content, "# T\n\nText");
        assert_eq!(sections("# T\nText", Some("T"))[0].content, "# T\nText");
        assert_eq!(sections(" \n", Some("T"))[0].content, "# T");
        assert!(sections(" \n", None).is_empty());
    }
}
