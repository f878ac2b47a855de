//! Whether a text is a question, in which language, and whether it asks for what is wrong.

use bigtpu_messages::Language;

/// Who asks so has a problem.
const OF_SYMPTOMS: [&str; 9] =
    ["why ", " too ", "怎么办", "为什么", "为何", "打不开", "对不上", "太", "空白"];
/// What is wrong, where no question asks for it.
const WRONG: [&str; 27] = [
    " idle",
    " slow",
    "missing",
    " lost",
    "empty",
    "blank",
    "wrong",
    "fail",
    " not ",
    "n't ",
    "cannot",
    "never",
    "crash",
    "error",
    "不了",
    "不上",
    "不出",
    "没有",
    "利用率低",
    "太慢",
    "变慢",
    "丢",
    "缺",
    "失败",
    "错",
    "溢出",
    "异常",
];
/// How questions begin or end.
const ASKING: [&str; 28] = [
    "how ",
    "what ",
    "when ",
    "where ",
    "which ",
    "who ",
    "why ",
    "can ",
    "do ",
    "does ",
    "is ",
    "are ",
    "should ",
    "will ",
    "怎么",
    "怎样",
    "如何",
    "什么",
    "为何",
    "多少",
    "哪",
    "吗",
    "能否",
    "是否",
    "有没有",
    "是不是",
    "能不能",
    "会不会",
];

/// Whether a text asks something, and is no sentence of the program.
pub(super) fn is_question(given: &str) -> bool {
    let given = given.to_lowercase();
    given.ends_with(['?', '？'])
        || OF_SYMPTOMS.iter().chain(&ASKING).any(|word| match word.is_ascii() {
            true => given.starts_with(word),
            false => given.contains(word),
        })
}

/// Whether a question is about something that is wrong.
pub(super) fn is_about_symptom(question: &str) -> bool {
    let lower = question.to_lowercase();
    OF_SYMPTOMS.iter().chain(&WRONG).any(|mark| lower.contains(mark))
}

/// Whether a question is in Chinese: so is what is said to it.
pub(super) fn is_chinese(question: &str) -> bool {
    question.chars().any(|c| !c.is_ascii() && c.is_alphabetic())
}

/// The language of a question: who asks in Chinese reads it; who asks in English is shown the language of the environment.
pub(super) fn language_of(question: &str, shown: Language) -> Language {
    match (is_chinese(question), is_question(question)) {
        (true, _) => Language::Chinese,
        (false, true) => Language::English,
        (false, false) => shown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_no_sentences_of_the_program() {
        assert!(is_question("How do I compare two runs") && is_question("怎么比较两次运行"));
        assert!(!is_question("no global.profile here") && !is_question("转储没有核函数名称"));
    }
}
