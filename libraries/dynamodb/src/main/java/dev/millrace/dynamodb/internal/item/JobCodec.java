package dev.millrace.dynamodb.internal.item;

import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.directory.JobRecord;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.dynamodb.internal.schema.Attributes;
import dev.millrace.dynamodb.internal.schema.RecordAttributes;

/**
 * Long work as an item and back. When it may be forgotten is stored all the time, but DynamoDB is
 * told only once it is done: work that somebody may yet go on with must not go by itself.
 */
final class JobCodec {
  private JobCodec() {}

  static ItemWriter encode(ItemWriter item, JobRecord job) {
    item.number(RecordAttributes.VERSION, job.version())
        .text(RecordAttributes.KIND, job.kind())
        .textsByName(RecordAttributes.ARGUMENTS, job.arguments())
        .text(RecordAttributes.CURSOR, job.cursor())
        .number(RecordAttributes.EXAMINED, job.examined())
        .number(RecordAttributes.CHANGED, job.changed())
        .flag(RecordAttributes.DONE, job.done())
        .number(RecordAttributes.STARTED_AT, job.startedAtMs())
        .number(RecordAttributes.UPDATED_AT, job.updatedAtMs())
        .numberUnless(BucketState.NEVER, RecordAttributes.EXPIRES_AT, job.expiresAtSeconds());
    return job.done()
        ? item.numberUnless(BucketState.NEVER, Attributes.TTL, job.expiresAtSeconds())
        : item;
  }

  static JobRecord decode(RecordKey.Job key, ItemReader item) {
    return new JobRecord(
        key,
        item.atLeast(1, RecordAttributes.VERSION),
        item.text(RecordAttributes.KIND),
        item.textsByName(RecordAttributes.ARGUMENTS),
        item.textOrNull(RecordAttributes.CURSOR),
        item.number(RecordAttributes.EXAMINED),
        item.number(RecordAttributes.CHANGED),
        item.flag(RecordAttributes.DONE),
        item.number(RecordAttributes.STARTED_AT),
        item.number(RecordAttributes.UPDATED_AT),
        item.number(RecordAttributes.EXPIRES_AT, BucketState.NEVER));
  }
}
