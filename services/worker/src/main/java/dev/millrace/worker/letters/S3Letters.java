package dev.millrace.worker.letters;

import dev.millrace.s3.S3DeadLetters;
import dev.millrace.s3.S3Location;
import java.util.function.Predicate;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Object;

/** The letters at a place in S3, an object for each. */
public record S3Letters(S3Client client, S3Location location) implements LetterSource {
  @Override
  public void forEach(Predicate<String> replayed, boolean remove) {
    for (S3Object object :
        client
            .listObjectsV2Paginator(l -> l.bucket(location.bucket()).prefix(location.prefix()))
            .contents()) {
      if (!object.key().endsWith(S3DeadLetters.SUFFIX)) {
        continue;
      }
      String text =
          client
              .getObjectAsBytes(g -> g.bucket(location.bucket()).key(object.key()))
              .asUtf8String();
      if (replayed.test(text) && remove) {
        client.deleteObject(d -> d.bucket(location.bucket()).key(object.key()));
      }
    }
  }
}
