//! Words of Chinese, Japanese and Korean that resolution reads.

/// Words that say that something is no longer as it was.
pub(super) const CHANGE: &[&str] = &[
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
    // Japanese
    "移行",
    "変更",
    "変わ",
    "切り替え",
    "切替",
    "乗り換え",
    "引っ越",
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

/// Words that say how something is at present: a change only where it was another way.
pub(super) const HINTS: &[&str] = &["现在", "如今", "이제", "지금은", "今は"];

/// Words of liking, using and allowing.
pub(super) const LIKES: &[&str] = &[
    "喜欢", "喜歡", "爱", "愛", "偏好", "偏爱", "允许", "允許", "可以", "支持", "同意", "좋아", "선호", "사랑", "허용",
    "가능", "찬성", "동의", "好き", "好む", "好ん", "好み", "許可", "賛成", "同意",
];

/// Words of disliking, ending and forbidding.
pub(super) const DISLIKES: &[&str] = &[
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
pub(super) const NEGATIONS: &[&str] =
    &["不", "没", "沒", "未", "别", "지 않", "지않", "못", "없", "아니", "안 ", "ない", "ません", "なかっ"];

/// Terms that have a negation in their name.
pub(super) const TERMS: &[&str] = &[
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

/// Words that exclude each other.
pub(super) const OPPOSITES: &[[&str; 2]] = &[
    // Chinese
    ["启用", "禁用"],
    ["启用", "停用"],
    ["开启", "关闭"],
    ["打开", "关闭"],
    ["公开", "私有"],
    ["允许", "禁止"],
    ["增加", "减少"],
    ["上升", "下降"],
    ["必须", "可选"],
    ["同步", "异步"],
    // Korean
    ["켜져", "꺼져"],
    ["켜", "끄"],
    ["활성", "비활성"],
    ["공개", "비공개"],
    ["동기", "비동기"],
    ["필수", "선택"],
    ["증가", "감소"],
    // Japanese
    ["有効", "無効"],
    ["公開", "非公開"],
    ["同期", "非同期"],
    ["オン", "オフ"],
    ["必須", "任意"],
    ["増加", "減少"],
    ["許可", "禁止"],
];

/// Endings of courtesy, and the plain ones that say the same; the first that fits is taken.
pub(super) const ENDINGS: &[(&str, &str)] = &[
    // Korean
    ("합니다", ""),
    ("한다", ""),
    ("해요", ""),
    ("입니다", "이다"),
    ("이에요", "이다"),
    ("습니다", "다"),
    ("어요", "다"),
    ("아요", "다"),
    // Japanese
    ("しています", "している"),
    ("ています", "ている"),
    ("します", "する"),
    ("きます", "く"),
    ("みます", "む"),
    ("ります", "る"),
    ("います", "う"),
    ("びます", "ぶ"),
    ("ちます", "つ"),
    ("ます", "る"),
    ("である", ""),
    ("です", ""),
    ("だ", ""),
];

/// Characters that may come or go: Chinese particles of aspect and emphasis.
pub(super) const LIGHT: &str = "的是了";

/// Words for the one who speaks or is spoken of, in one character or two.
pub(super) const PRONOUNS: &[&str] = &["我们", "他们", "她们", "我", "你", "他", "她"];

/// What follows a number that says which one is spoken of: the particle of a topic, subject or object.
pub(super) const AFTER_LABEL: &[&str] =
    &["은", "는", "이", "가", "을", "를", "번은", "번이", "번을", "は", "が", "を", "号", "已", "由", "被"];
