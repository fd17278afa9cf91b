//! The clients: where each keeps its configuration, and in what form.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::json::Kind;

/// A client that can use the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Client {
    /// Claude Code
    ClaudeCode,
    /// Claude Desktop
    ClaudeDesktop,
    /// Cursor
    Cursor,
    /// Visual Studio Code
    Vscode,
    /// Codex
    Codex,
}

/// How a client lists its hooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Shape {
    /// Groups of hooks, each with a matcher of its own.
    Groups,
    /// Hooks, one after the other.
    Flat,
}

impl Client {
    /// All of them.
    pub(in crate::cli) const ALL: [Self; 5] =
        [Self::ClaudeCode, Self::ClaudeDesktop, Self::Cursor, Self::Vscode, Self::Codex];

    /// As it is typed.
    pub(in crate::cli) fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::ClaudeDesktop => "claude-desktop",
            Self::Cursor => "cursor",
            Self::Vscode => "vscode",
            Self::Codex => "codex",
        }
    }

    /// The file that lists its servers; `None` where it has none for a project.
    pub(in crate::cli) fn servers(self, place: &Place) -> Option<PathBuf> {
        let Place { home, config, project } = place;
        if let Some(project) = project {
            return match self {
                Self::ClaudeCode => Some(project.join(".mcp.json")),
                Self::ClaudeDesktop => None,
                Self::Cursor => Some(project.join(".cursor/mcp.json")),
                Self::Vscode => Some(project.join(".vscode/mcp.json")),
                Self::Codex => Some(project.join(".codex/config.toml")),
            };
        }
        Some(match self {
            Self::ClaudeCode => variable("CLAUDE_CONFIG_DIR").unwrap_or_else(|| home.clone()).join(".claude.json"),
            Self::ClaudeDesktop => config.join("Claude/claude_desktop_config.json"),
            Self::Cursor => home.join(".cursor/mcp.json"),
            Self::Vscode => config.join("Code/User/mcp.json"),
            Self::Codex => codex(home).join("config.toml"),
        })
    }

    /// The file that lists its hooks; `None` where it runs none.
    pub(in crate::cli) fn hooks(self, place: &Place) -> Option<PathBuf> {
        let Place { home, project, .. } = place;
        let claude = || variable("CLAUDE_CONFIG_DIR").unwrap_or_else(|| home.join(".claude"));
        match (self, project) {
            (Self::ClaudeDesktop, _) => None,
            (Self::ClaudeCode, Some(project)) => Some(project.join(".claude/settings.json")),
            (Self::ClaudeCode, None) => Some(claude().join("settings.json")),
            (Self::Cursor, Some(project)) => Some(project.join(".cursor/hooks.json")),
            (Self::Cursor, None) => Some(home.join(".cursor/hooks.json")),
            (Self::Vscode, Some(project)) => Some(project.join(".github/hooks/ebbtrace.json")),
            (Self::Vscode, None) => Some(home.join(".copilot/hooks/ebbtrace.json")),
            (Self::Codex, Some(project)) => Some(project.join(".codex/hooks.json")),
            (Self::Codex, None) => Some(codex(home).join("hooks.json")),
        }
    }

    /// The field that servers are listed under.
    pub(in crate::cli) fn list(self) -> &'static str {
        match self {
            Self::Vscode => "servers",
            Self::Codex => "mcp_servers",
            Self::ClaudeCode | Self::ClaudeDesktop | Self::Cursor => "mcpServers",
        }
    }

    /// What it takes for JSON.
    pub(super) fn json(self) -> Kind {
        match self {
            Self::Vscode | Self::Cursor => Kind::WithComments,
            Self::ClaudeCode | Self::ClaudeDesktop | Self::Codex => Kind::Strict,
        }
    }

    /// Whether a server says by what it is reached.
    pub(super) fn says_type(self) -> bool {
        matches!(self, Self::ClaudeCode | Self::Vscode)
    }

    /// How its hooks are listed.
    pub(super) fn shape(self) -> Shape {
        match self {
            Self::ClaudeCode | Self::Codex => Shape::Groups,
            Self::ClaudeDesktop | Self::Cursor | Self::Vscode => Shape::Flat,
        }
    }

    /// The events at which it runs hooks, as it calls them and as we do. Those that it has and from which nothing would
    /// come are left out.
    pub(in crate::cli) fn events(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::ClaudeCode => &[
                ("SessionStart", "session-start"),
                ("UserPromptSubmit", "prompt"),
                ("PreCompact", "pre-compact"),
                ("SessionEnd", "session-end"),
            ],
            Self::ClaudeDesktop => &[],
            Self::Cursor => &[("sessionStart", "session-start"), ("beforeSubmitPrompt", "prompt")],
            Self::Vscode | Self::Codex => &[("SessionStart", "session-start"), ("UserPromptSubmit", "prompt")],
        }
    }

    /// What its user does then.
    pub(super) fn next(self, hooks: bool) -> Vec<&'static str> {
        let mut next = vec![match self {
            Self::ClaudeCode => "Start a new session of Claude Code; /mcp shows the server.",
            Self::ClaudeDesktop => "Quit Claude Desktop and start it again.",
            Self::Cursor => "Restart Cursor; Settings, MCP shows the server.",
            Self::Vscode => "Run `MCP: List Servers` in VS Code and start ebbtrace.",
            Self::Codex => "Start a new session of Codex; /mcp shows the server.",
        }];
        match self {
            Self::ClaudeDesktop if hooks => next.push("Claude Desktop runs no hooks."),
            Self::Codex if hooks => next.push(
                "Codex asks whether hooks are trusted: /hooks. Older versions need `codex_hooks = true` under [features].",
            ),
            Self::Vscode if hooks => next.push("Hooks are a preview in VS Code, which may not take what comes at a prompt."),
            _ => {}
        }
        next
    }
}

/// Where configuration is looked for.
#[derive(Clone, Debug)]
pub(in crate::cli) struct Place {
    pub(super) home: PathBuf,
    /// What programs keep for this user: `~/.config`, `~/Library/Application Support`, `%APPDATA%`.
    config: PathBuf,
    /// The project's folder, where it is for that alone.
    project: Option<PathBuf>,
}

impl Place {
    /// That of this user, or of the project in `project`; `None` where the system names no home.
    pub(in crate::cli) fn new(project: Option<&Path>) -> Option<Self> {
        let base = directories::BaseDirs::new()?;
        Some(Self {
            home: base.home_dir().to_owned(),
            config: base.config_dir().to_owned(),
            project: project.map(Path::to_owned),
        })
    }
}

fn codex(home: &Path) -> PathBuf {
    variable("CODEX_HOME").unwrap_or_else(|| home.join(".codex"))
}

fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}
