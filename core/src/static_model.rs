//! stub
/// stub
pub struct StaticModel;
#[allow(missing_docs)]
impl StaticModel {
    pub fn load(_bytes: impl Into<std::borrow::Cow<'static, [u8]>>) -> Result<Self, ModelError> {
        todo!()
    }
    pub fn id(&self) -> &str {
        todo!()
    }
    pub fn bundled() -> std::sync::Arc<Self> {
        todo!()
    }
}
/// stub
#[derive(Debug)]
pub struct ModelError;
impl std::fmt::Display for ModelError {
    fn fmt(&self, _f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Ok(())
    }
}
impl std::error::Error for ModelError {}
#[allow(missing_docs)]
impl ModelError {
    pub fn code(&self) -> &'static str {
        "model"
    }
}
