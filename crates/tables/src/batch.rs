//! The entries and failures of a walk as rows.

use fewer::Answer;
use fewer::walk::Batch;

use crate::Row;

/// Shows the rows of a batch in the order of the walk, until the answer is another than
/// [`Answer::Continue`]; returns the last one. `depth` is added to the depths: that of the tree
/// which the walk began at.
///
/// Price: no call.
pub fn each_row(batch: &Batch, depth: usize, mut visit: impl FnMut(&Row<'_>) -> Answer) -> Answer {
    let mut failures = batch.failures().iter().peekable();
    for place in 0..=batch.entries().len() {
        while let Some(failure) = failures.next_if(|it| it.before as usize <= place) {
            let (path, message) = batch.failure(failure);
            let answer = visit(&Row::failure(path, &String::from_utf8_lossy(message)));
            if answer != Answer::Continue {
                return answer;
            }
        }
        let Some(record) = batch.entries().get(place) else { break };
        let answer = visit(&Row {
            path: batch.path(record),
            name: Some(batch.name(record)),
            kind: record.kind,
            depth: Some(depth + record.depth as usize),
            stat: batch.stat(place),
            error: None,
            etag: None,
        });
        if answer != Answer::Continue {
            return answer;
        }
    }
    Answer::Continue
}
