package dev.millrace.lambda;

import dev.millrace.aggregator.DeadLetter;
import dev.millrace.aggregator.internal.DestinationJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * Dead letters in a queue, one message each. A repeated letter is two messages; its replay counts
 * it once. A letter that is too large for a message is compressed; if that does not help, SQS
 * refuses it, and the batch fails until dead letters go to S3 instead.
 */
final class SqsDeadLetters implements Consumer<List<DeadLetter>> {
  /** The largest message of every queue, less some room for its envelope. */
  static final int MAX_PLAIN = 250_000;

  private final SqsClient client;
  private final String queueUrl;

  SqsDeadLetters(SqsClient client, String queueUrl) {
    this.client = client;
    this.queueUrl = queueUrl;
  }

  @Override
  public void accept(List<DeadLetter> letters) {
    for (DeadLetter letter : letters) {
      String json = DestinationJson.of(letter); // plain ASCII: as many bytes as characters
      String body = json.length() <= MAX_PLAIN ? json : compressed(json);
      client.sendMessage(m -> m.queueUrl(queueUrl).messageBody(body));
    }
  }

  private static String compressed(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }
}
