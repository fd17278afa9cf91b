//! What says nothing of a topic in scripts that don't set words apart: the phrases that questions are made of.

/// Chinese, Japanese and Thai phrases around what a query is about.
const EMPTY: &[&str] = &[
    // Chinese
    "一下",
    "一个",
    "为什么",
    "为啥",
    "为何",
    "么",
    "了",
    "了吗",
    "什么",
    "什么时候",
    "什么样",
    "以及",
    "几个",
    "几台",
    "几点",
    "几次",
    "几月",
    "几号",
    "吗",
    "吧",
    "呢",
    "和",
    "哪",
    "哪一天",
    "哪个",
    "哪些",
    "哪儿",
    "哪天",
    "哪里",
    "啊",
    "嘛",
    "多久",
    "多大",
    "多少",
    "多少次",
    "多少钱",
    "如何",
    "对吗",
    "怎么",
    "怎么办",
    "怎么回事",
    "怎么样",
    "怎样",
    "我",
    "我们",
    "把",
    "放在",
    "是",
    "是不是",
    "是什么",
    "是多少",
    "是谁",
    "有",
    "有没有",
    "有哪些",
    "有多少",
    "没有",
    "由谁",
    "的",
    "给",
    "能不能",
    "能否",
    "被",
    "要",
    "让",
    "该",
    "请问",
    "谁",
    "谁来",
    "谁的",
    "还是",
    "还能",
    "这个",
    "那个",
    "都",
    "可以",
    "可以吗",
    "会",
    "在",
    "在哪",
    "在哪儿",
    "在哪里",
    "会不会",
    "就是",
    "到底",
    // Japanese
    "だれ",
    "どこ",
    "どう",
    "どうして",
    "どの",
    "どれ",
    "なぜ",
    "なに",
    "なん",
    "いつ",
    "いつから",
    "いつまで",
    "いくつ",
    "いくら",
    "いつも",
    "何",
    "何か",
    "何が",
    "何を",
    "何分",
    "何度",
    "何時",
    "何曜日",
    "何番",
    "何回",
    "何人",
    "何件",
    "何日",
    "誰",
    "誰が",
    "誰か",
    "誰だっけ",
    "誰に",
    // Thai
    "กี่",
    "กี่โมง",
    "กับ",
    "การ",
    "ของ",
    "ขึ้น",
    "ควร",
    "ความ",
    "คือ",
    "คือใคร",
    "คืออะไร",
    "คุณ",
    "จะ",
    "จาก",
    "ช่วย",
    "ซึ่ง",
    "ด้วย",
    "ตอนไหน",
    "ต้อง",
    "ถึง",
    "ทำไม",
    "ที่",
    "ที่ไหน",
    "นี้",
    "บ้าง",
    "มี",
    "มั้ย",
    "ยังไง",
    "ยัง",
    "วันไหน",
    "วันไหนบ้าง",
    "หรือ",
    "หรือเปล่า",
    "หรือไม่",
    "อยู่",
    "อยู่ที่ไหน",
    "อย่างไร",
    "อะไร",
    "อันไหน",
    "เท่าไร",
    "เท่าไหร่",
    "เป็น",
    "เพราะ",
    "เพราะอะไร",
    "เมื่อไร",
    "เมื่อไหร่",
    "เรา",
    "และ",
    "แล้ว",
    "โดย",
    "ใคร",
    "ให้",
    "ได้",
    "ได้ไหม",
    "ได้หรือไม่",
    "ไหน",
    "ไหม",
];

/// Words that hold one of the above and mean something of their own.
const FULL: &[&str] = &[
    "了解",
    "为了",
    "会员",
    "会话",
    "会议",
    "共和",
    "分会",
    "协会",
    "可以说",
    "和平",
    "哪吒",
    "在线",
    "存在",
    "所有",
    "机会",
    "社会",
    "拥有",
    "持有",
    "有效",
    "有限",
    "有序",
    "标的",
    "的士",
    "目的",
    "私有",
    "给予",
    "要求",
    "需要",
    "重要",
    "主要",
    "都市",
    "首都",
    "是否",
    "还有效",
    "完了",
    "改了",
    "何度も",
    "การ์ด",
    "การ์ตูน",
    "ที่อยู่",
    "ที่ปรึกษา",
    "ความลับ",
    "มีเดีย",
    "ให้บริการ",
    "เป็นระยะ",
];

/// Korean words, with their particles, that questions are made of.
const KOREAN: &[&str] = &[
    "거",
    "거야",
    "게",
    "것",
    "그",
    "까닭",
    "까닭은",
    "까닭이",
    "나요",
    "누가",
    "누구",
    "누구야",
    "누구에게",
    "누구지",
    "누군가",
    "대해",
    "되나",
    "되나요",
    "된",
    "될",
    "됐지",
    "됐어",
    "뭐",
    "뭐가",
    "뭐야",
    "뭐지",
    "뭔가",
    "뭘",
    "몇",
    "몇이야",
    "무슨",
    "무엇",
    "무엇을",
    "무엇이",
    "있나",
    "있나요",
    "있는",
    "있어",
    "있지",
    "알려",
    "알려줘",
    "어느",
    "어디",
    "어디로",
    "어디서",
    "어디야",
    "어디에",
    "어디에서",
    "어디지",
    "어떤",
    "어떻게",
    "언제",
    "언제까지",
    "언제부터",
    "언제야",
    "언제지",
    "얼마",
    "얼마나",
    "얼마야",
    "왜",
    "이",
    "이유",
    "이유가",
    "이유는",
    "이유야",
    "인가",
    "인가요",
    "저",
    "좀",
    "줘",
    "지",
    "하기로",
    "하나",
    "하나요",
    "하는",
    "하지",
    "한",
    "할",
    "했나",
    "했어",
    "했지",
    "해",
    "해도",
    "돼",
    "되지",
    "되는",
];

/// Whether a Korean word of a query says nothing of its topic.
pub(super) fn is_empty_korean(word: &str) -> bool {
    KOREAN.contains(&word)
}

/// The parts of a run of Han, Kana or Thai in a query that say something: what is left between the empty phrases. All
/// of it where nothing is left.
pub(super) fn telling(run: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut at) = (0, 0);
    while let Some(first) = run[at..].chars().next() {
        let rest = &run[at..];
        let longest =
            |phrases: &[&str]| phrases.iter().filter(|phrase| rest.starts_with(**phrase)).map(|p| p.len()).max();
        let (full, empty) = (longest(FULL), longest(EMPTY));
        match empty.filter(|empty| full.is_none_or(|full| full < *empty)) {
            Some(length) => {
                parts.push(&run[start..at]);
                at += length;
                start = at;
            }
            None => at += full.unwrap_or(first.len_utf8()),
        }
    }
    parts.push(&run[start..]);
    let telling: Vec<&str> = parts.into_iter().flat_map(words).collect();
    if telling.is_empty() { vec![run] } else { telling }
}

/// The words of a part: what is not Hiragana, with one Hiragana of its ending. Hiragana alone are grammar where there
/// is anything else; Chinese and Thai parts are one word.
fn words(part: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let (mut start, mut hiragana) = (0, 0);
    for (at, c) in part.char_indices() {
        if is_hiragana(c) {
            hiragana += 1;
            if hiragana == 2 {
                words.push(&part[start..at]);
            }
        } else {
            if hiragana == 1 {
                words.push(&part[start..at]);
            }
            if hiragana > 0 {
                start = at;
            }
            hiragana = 0;
        }
    }
    if hiragana < 2 {
        words.push(&part[start..]);
    }
    words.retain(|word| !word.is_empty() && !word.chars().all(is_hiragana));
    words
}

/// Whether a word is one character with an ending: 遅い.
pub(super) fn has_one_character(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(|c| !is_hiragana(c)) && chars.next().is_some_and(is_hiragana) && chars.next().is_none()
}

fn is_hiragana(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{309f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_questions_are_made_of_is_left_out() {
        assert_eq!(telling("推送网关的端口是多少"), ["推送网关", "端口"]);
        assert_eq!(telling("目的是什么"), ["目的"]);
        assert_eq!(telling("谁"), ["谁"]);
        assert_eq!(telling("เซิร์ฟเวอร์ใช้พอร์ตอะไร"), ["เซิร์ฟเวอร์ใช้พอร์ต"]);
        assert_eq!(telling("障害はなぜ起きた"), ["障害は", "起き"]);
        assert_eq!(telling("デプロイが遅いのは"), ["デプロイが", "遅い"]);
        assert_eq!(telling("しきい"), ["しきい"]);
        assert!(has_one_character("遅い") && !has_one_character("起動"));
        assert!(is_empty_korean("언제까지"));
    }
}
