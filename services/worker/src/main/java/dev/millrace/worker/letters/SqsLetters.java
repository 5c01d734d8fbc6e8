package dev.millrace.worker.letters;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.function.Predicate;
import java.util.zip.GZIPInputStream;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * The letters of a queue, as the Lambda function sends them. Those that are not removed are hidden
 * for a while and then in the queue again.
 */
public record SqsLetters(SqsClient client, String queueUrl) implements LetterSource {
  private static final int RECEIVE = 10;
  private static final int HIDDEN_SECONDS = 300;

  /** Long enough that a queue that says it is empty mostly is. */
  private static final int WAIT_SECONDS = 2;

  private static final int MAX_RECEIVES = 100_000;

  /** What a body begins with that is compressed: gzip's first bytes in Base64. */
  private static final String COMPRESSED = "H4sI";

  @Override
  public void forEach(Predicate<String> replayed, boolean remove) {
    for (int i = 0; i < MAX_RECEIVES; i++) {
      List<Message> messages =
          client
              .receiveMessage(
                  r ->
                      r.queueUrl(queueUrl)
                          .maxNumberOfMessages(RECEIVE)
                          .visibilityTimeout(HIDDEN_SECONDS)
                          .waitTimeSeconds(WAIT_SECONDS))
              .messages();
      if (messages.isEmpty()) {
        return;
      }
      for (Message message : messages) {
        if (replayed.test(text(message.body())) && remove) {
          client.deleteMessage(d -> d.queueUrl(queueUrl).receiptHandle(message.receiptHandle()));
        }
      }
    }
  }

  private static String text(String body) {
    if (!body.startsWith(COMPRESSED)) {
      return body;
    }
    try (GZIPInputStream gzip =
        new GZIPInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(body)))) {
      return new String(gzip.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return body; // not what it looked like
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
