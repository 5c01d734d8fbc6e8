package dev.millrace.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.s3.internal.ExchangeBucket;
import dev.millrace.s3.internal.ExchangeBucket.Outcome;
import dev.millrace.s3.internal.ExchangeBucket.Part;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetBucketLifecycleConfigurationRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * The bucket of the exchange on a real server of S3's protocol, which does not know all of it. What
 * it does not know is checked in what is sent, with the answers that S3 gives.
 */
class ExchangeBucketIT {
  private static final String NEVER_SET = "NoSuchLifecycleConfiguration";

  private static S3Server server;

  @BeforeAll
  static void start() {
    server = S3Server.start();
  }

  @AfterAll
  static void stop() {
    server.stop();
  }

  @Test
  void setUp_bucketMissing_makesItAndTellsWhatTheServerDoesNotKnow() {
    S3Location location = S3Location.parse("s3://fresh/prod");

    List<Part> first = ExchangeBucket.setUp(server.client(), location);

    assertThat(first)
        .extracting(Part::name)
        .containsExactly("bucket", "encryption", "public access blocked", "lifecycle");
    assertThat(first.get(0)).isEqualTo(new Part("bucket", Outcome.CHANGED));
    assertThat(first).contains(new Part("lifecycle", Outcome.UNKNOWN_TO_SERVER));
    assertThat(server.client().listBuckets().buckets()).anyMatch(b -> b.name().equals("fresh"));
  }

  @Test
  void setUp_repeated_changesNothing() {
    S3Location location = S3Location.parse("s3://twice/prod");
    ExchangeBucket.setUp(server.client(), location);
    assertThat(ExchangeBucket.setUp(server.client(), location))
        .contains(new Part("bucket", Outcome.WAS_SO))
        .noneMatch(part -> part.outcome() == Outcome.CHANGED);
  }

  @Test
  void setUp_serverAway_failsAndSaysSo() {
    try (S3Client away = client(URI.create("http://127.0.0.1:1"), new Recorder(""))) {
      assertThatThrownBy(() -> ExchangeBucket.setUp(away, S3Location.parse("s3://a/b")))
          .isInstanceOf(software.amazon.awssdk.core.exception.SdkException.class);
    }
  }

  @Test
  void setUp_noLifecycleYet_asksForOneThatClearsRemainsOnly() {
    Recorder recorder = new Recorder(NEVER_SET);
    try (S3Client client = client(server.endpoint(), recorder)) {
      ExchangeBucket.setUp(client, S3Location.parse("s3://kept/prod"));
    }
    assertThat(recorder.sent)
        .containsExactly(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
                + "<LifecycleConfiguration xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Rule>"
                + "<ID>millrace-remains-prod-</ID><Filter><Prefix>prod/</Prefix></Filter>"
                + "<Status>Enabled</Status><NoncurrentVersionExpiration><NoncurrentDays>1"
                + "</NoncurrentDays></NoncurrentVersionExpiration><AbortIncompleteMultipartUpload>"
                + "<DaysAfterInitiation>1</DaysAfterInitiation></AbortIncompleteMultipartUpload>"
                + "</Rule></LifecycleConfiguration>");
  }

  @Test
  void part_errorThatIsNotAboutKnowing_isNotHidden() {
    Recorder recorder = new Recorder("AccessDenied");
    try (S3Client client = client(server.endpoint(), recorder)) {
      assertThatThrownBy(() -> ExchangeBucket.setUp(client, S3Location.parse("s3://kept/prod")))
          .isInstanceOf(S3Exception.class);
    }
    assertThat(recorder.sent).isEmpty();
  }

  private static S3Client client(URI endpoint, ExecutionInterceptor interceptor) {
    return S3Client.builder()
        .endpointOverride(endpoint)
        .region(Region.US_EAST_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("any", "any")))
        .overrideConfiguration(o -> o.addExecutionInterceptor(interceptor))
        .httpClientBuilder(UrlConnectionHttpClient.builder())
        .forcePathStyle(true)
        .build();
  }

  /** Keeps the lifecycle that is sent, and answers for S3 when it is asked for the one there is. */
  private static final class Recorder implements ExecutionInterceptor {
    final List<String> sent = new ArrayList<>();
    private final String errorCode;

    Recorder(String errorCode) {
      this.errorCode = errorCode;
    }

    @Override
    public void beforeExecution(
        Context.BeforeExecution context, ExecutionAttributes executionAttributes) {
      if (context.request() instanceof GetBucketLifecycleConfigurationRequest) {
        throw S3Exception.builder()
            .statusCode(errorCode.equals(NEVER_SET) ? 404 : 403)
            .awsErrorDetails(
                software.amazon.awssdk.awscore.exception.AwsErrorDetails.builder()
                    .errorCode(errorCode)
                    .build())
            .build();
      }
    }

    @Override
    public void beforeTransmission(
        Context.BeforeTransmission context, ExecutionAttributes executionAttributes) {
      if (context.httpRequest().rawQueryParameters().containsKey("lifecycle")) {
        sent.add(context.requestBody().map(body -> text(body.contentStreamProvider())).orElse(""));
      }
    }

    private static String text(ContentStreamProvider body) {
      try (InputStream in = body.newStream()) {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
