//! What is read of texts in Chinese, Japanese and Korean: pairs of characters, and words of stance and change.

use rustc_hash::FxHashSet;

use crate::terms::without_particle;

/// Words that say that something is no longer as it was.
const CHANGE: &[&str] = &[
    // Chinese
    "改为",
    "改成",
    "改用",
    "改到",
    "换成",
    "换到",
    "替换",
    "迁移",
    "切换",
    "转用",
    "搬到",
    "搬家",
    "搬去",
    "不再",
    "放弃",
    "离职",
    "辞职",
    "现在",
    "如今",
    "取消",
    "停止",
    "停用",
    "弃用",
    "推迟",
    "延期",
    "提前到",
    "不喜欢了",
    "戒",
    // Korean
    "전환",
    "변경",
    "바꾸",
    "바꿨",
    "바뀌",
    "바뀐",
    "교체",
    "이전했",
    "옮기",
    "옮겼",
    "이사",
    "이제",
    "더 이상",
    "더이상",
    "퇴사",
    "이직",
    "그만",
    "끊",
    "포기",
    "취소",
    "중단",
    "연기",
    "지금은",
    // Japanese
    "移行",
    "変更",
    "変わ",
    "切り替え",
    "切替",
    "乗り換え",
    "引っ越",
    "今は",
    "もう",
    "やめ",
    "辞め",
    "退職",
    "転職",
    "交代",
    "交替",
    "延期",
    "中止",
    "廃止",
    "になった",
    "になりました",
];

/// Words of liking, using and allowing.
const LIKES: &[&str] = &[
    "喜欢", "喜歡", "爱", "愛", "偏好", "偏爱", "允许", "允許", "可以", "支持", "同意", "좋아", "선호", "사랑", "허용",
    "가능", "찬성", "동의", "好き", "好む", "好ん", "許可", "賛成", "同意",
];

/// Words of disliking, ending and forbidding.
const DISLIKES: &[&str] = &[
    "讨厌",
    "討厭",
    "厌恶",
    "不喜欢",
    "不喜歡",
    "不爱",
    "禁止",
    "不允许",
    "不可以",
    "反对",
    "拒绝",
    "放弃",
    "싫어",
    "미워",
    "혐오",
    "금지",
    "불가",
    "반대",
    "거부",
    "좋아하지 않",
    "嫌い",
    "苦手",
    "禁止",
    "不可",
    "反対",
    "拒否",
    "好きではな",
    "好きじゃな",
];

/// Endings and words that deny. Longer words that have one as a part of their name are taken out first.
const NEGATIONS: &[&str] =
    &["不", "没", "沒", "未", "别", "지 않", "지않", "못", "없", "아니", "안 ", "ない", "ません", "なかっ"];

/// Terms that have a negation in their name.
const TERMS: &[&str] = &[
    "不可变",
    "不锈钢",
    "不动产",
    "未来",
    "未读",
    "未知",
    "未読",
    "未来",
    "未成年",
    "未定",
    "别名",
    "别墅",
    "特别",
    "类别",
    "级别",
    "区别",
    "不過",
    "不过",
    "不同",
    "不断",
    "不错",
    "못지",
    "안전",
    "안내",
    "안정",
    "안녕",
    "少ない",
    "危ない",
    "つまらない",
];

/// What is read of such a text.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// Pairs of characters, sorted, each once; single characters stand for themselves.
    pub grams: Vec<Box<str>>,
    /// The first word, or the first two characters: what the text is about.
    pub subject: Box<str>,
    /// Whether it speaks of a change.
    pub change: bool,
    /// +1 for liking, -1 for disliking, 0 for neither or both.
    pub stance: i8,
    /// How many negations it has.
    pub negations: usize,
}

/// Whether a character belongs to a script that is read in pairs.
pub(super) fn is_gram(c: char) -> bool {
    matches!(c,
        '\u{1100}'..='\u{11ff}' | '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30ff}' | '\u{3130}'..='\u{318f}'
        | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}' | '\u{0e00}'..='\u{0eff}')
}

impl Reading {
    pub(super) fn of(text: &str) -> Self {
        if text.is_ascii() || !text.chars().any(is_gram) {
            return Self::default();
        }
        let mut grams = FxHashSet::default();
        let mut subject = "";
        for run in text.split(|c: char| !is_gram(c)).filter(|run| !run.is_empty()) {
            let hangul = run.starts_with(|c: char| matches!(c, '\u{ac00}'..='\u{d7a3}'));
            let word = if hangul { without_particle(run) } else { run };
            if subject.is_empty() {
                subject = if hangul { word } else { subject_of(word) };
            }
            let chars: Vec<char> = word.chars().collect();
            if let [single] = chars[..] {
                grams.insert(Box::from(single.to_string()));
            }
            grams.extend(chars.windows(2).map(|pair| Box::from(pair.iter().collect::<String>())));
        }
        let mut grams: Vec<Box<str>> = grams.into_iter().collect();
        grams.sort_unstable();
        let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
        let dislikes = has(DISLIKES);
        let likes = LIKES.iter().any(|word| text.contains(word)) && !dislikes;
        let plain = TERMS.iter().fold(text.to_owned(), |text, term| text.replace(term, ""));
        let negations = NEGATIONS.iter().map(|word| plain.matches(word).count()).sum();
        Self {
            grams,
            subject: subject.into(),
            change: has(CHANGE),
            stance: i8::from(likes) - i8::from(dislikes),
            negations,
        }
    }

    /// Whether there is nothing of these scripts in the text.
    pub(super) fn is_empty(&self) -> bool {
        self.grams.is_empty()
    }

    /// The share of this text's pairs that `other` has too, 0..=1.
    pub(super) fn shared(&self, other: &Self) -> f64 {
        let shared = self.grams.iter().filter(|gram| other.grams.binary_search(gram).is_ok()).count();
        shared as f64 / self.grams.len().max(1) as f64
    }
}

/// The characters before a Japanese topic or subject particle, or else the first two.
fn subject_of(run: &str) -> &str {
    if let Some((at, _)) = run.char_indices().find(|(at, c)| *at > 0 && matches!(c, 'は' | 'が' | 'を' | 'に')) {
        return &run[..at];
    }
    run.char_indices().nth(2).map_or(run, |(at, _)| &run[..at])
}
