//! The threads that work is shared among.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::PyResult;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::error;

/// The pool, and the process that it is of: threads do not survive a fork, which `multiprocessing` makes.
static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// Does something with all threads of this process.
///
/// Called by threads that hold Python's lock, and a fork is made by one of them, so that the mutex is free in a child.
pub(crate) fn pool() -> PyResult<Arc<ThreadPool>> {
    let mut slot = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if let Some((of, pool)) = &*slot
        && *of == process
    {
        return Ok(Arc::clone(pool));
    }
    let pool = ThreadPoolBuilder::new().build();
    let pool = Arc::new(pool.map_err(|e| error(format!("threads can't be started ({e})")))?);
    // To drop a pool whose threads are in another process would wait for them.
    if let Some(old) = slot.replace((process, Arc::clone(&pool))) {
        std::mem::forget(old);
    }
    Ok(pool)
}
