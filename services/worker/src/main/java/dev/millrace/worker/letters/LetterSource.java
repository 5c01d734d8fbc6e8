package dev.millrace.worker.letters;

import dev.millrace.s3.S3Destinations;
import dev.millrace.s3.S3Location;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Predicate;
import java.util.zip.GZIPInputStream;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Object;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;

/** A place with dead letters. */
public interface LetterSource {
  /**
   * Shows the text of every letter to {@code replayed}. Those for which it returns true are removed
   * if {@code remove} is set.
   */
  void forEach(Predicate<String> replayed, boolean remove);

  /** The letters of a file. No worker may write to it meanwhile when letters are removed. */
  record FileLetters(Path file) implements LetterSource {
    @Override
    public void forEach(Predicate<String> replayed, boolean remove) {
      try {
        List<String> remainder = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
          if (!line.isBlank() && !replayed.test(line)) {
            remainder.add(line);
          }
        }
        if (remove) {
          Path written = file.resolveSibling(file.getFileName() + ".rest");
          Files.write(written, remainder);
          Files.move(
              written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
      } catch (IOException e) {
        throw new UncheckedIOException("Could not read dead letters from " + file, e);
      }
    }
  }

  /** The letters at a place in S3, an object for each. */
  record S3Letters(S3Client client, S3Location location) implements LetterSource {
    @Override
    public void forEach(Predicate<String> replayed, boolean remove) {
      String bucket = location.bucket();
      var objects =
          client.listObjectsV2Paginator(l -> l.bucket(bucket).prefix(location.prefix())).contents();
      for (S3Object object : objects) {
        String key = object.key();
        if (key.endsWith(S3Destinations.LETTER_SUFFIX)
            && replayed.test(client.getObjectAsBytes(g -> g.bucket(bucket).key(key)).asUtf8String())
            && remove) {
          client.deleteObject(d -> d.bucket(bucket).key(key));
        }
      }
    }
  }

  /**
   * The letters of a queue, as the Lambda function sends them. Those that are not removed are
   * hidden for a while and then in the queue again.
   */
  record QueueLetters(SqsClient client, String queueUrl) implements LetterSource {
    private static final int RECEIVE = 10;
    private static final int HIDDEN_SECONDS = 300;

    /** Long enough that a queue that answers with nothing is mostly empty. */
    private static final int WAIT_SECONDS = 2;

    private static final int MAX_RECEIVES = 100_000;

    /** The start of a compressed body: gzip's first bytes in Base64. */
    private static final String COMPRESSED = "H4sI";

    @Override
    public void forEach(Predicate<String> replayed, boolean remove) {
      ReceiveMessageRequest receive =
          ReceiveMessageRequest.builder()
              .queueUrl(queueUrl)
              .maxNumberOfMessages(RECEIVE)
              .visibilityTimeout(HIDDEN_SECONDS)
              .waitTimeSeconds(WAIT_SECONDS)
              .build();
      for (int i = 0; i < MAX_RECEIVES; i++) {
        List<Message> messages = client.receiveMessage(receive).messages();
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
        return body; // not compressed after all
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
