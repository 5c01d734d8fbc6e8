package dev.millrace.lambda;

import dev.millrace.dynamodb.client.SafeRetries;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.EnvironmentVariableCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * Clients for as long as the process lives. Region and credentials are where Lambda puts them: the
 * SDK's search for either would cost time at every start.
 */
final class FunctionClients {
  private final @Nullable URI endpoint;
  private @Nullable S3Client s3;
  private @Nullable SqsClient sqs;

  FunctionClients(@Nullable URI endpoint) {
    this.endpoint = endpoint;
  }

  DynamoDbClient dynamo() {
    return configure(DynamoDbClient.builder())
        .httpClientBuilder(UrlConnectionHttpClient.builder())
        .overrideConfiguration(SafeRetries::configure)
        .build();
  }

  synchronized S3Client s3() {
    S3Client client = s3;
    if (client == null) {
      client =
          configure(S3Client.builder())
              .httpClientBuilder(UrlConnectionHttpClient.builder())
              .forcePathStyle(endpoint != null)
              // some servers answer before they have read what follows a body in chunks
              .serviceConfiguration(service -> service.chunkedEncodingEnabled(endpoint == null))
              .requestChecksumCalculation(
                  endpoint == null
                      ? RequestChecksumCalculation.WHEN_SUPPORTED
                      : RequestChecksumCalculation.WHEN_REQUIRED)
              .build();
      s3 = client;
    }
    return client;
  }

  synchronized SqsClient sqs() {
    SqsClient client = sqs;
    if (client == null) {
      client =
          configure(SqsClient.builder())
              .httpClientBuilder(UrlConnectionHttpClient.builder())
              .build();
      sqs = client;
    }
    return client;
  }

  private <B extends AwsClientBuilder<B, ?>> B configure(B builder) {
    @Nullable String region = System.getenv("AWS_REGION");
    builder.credentialsProvider(EnvironmentVariableCredentialsProvider.create());
    if (region != null) {
      builder.region(Region.of(region));
    }
    if (endpoint != null) {
      builder.endpointOverride(endpoint);
    }
    return builder;
  }
}
