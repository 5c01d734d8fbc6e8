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
 * A factory of AWS clients that live as long as the process. Region and credentials are read from
 * Lambda's variables: the SDK's search for either would cost time at every start.
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
    if (s3 == null) {
      s3 =
          configure(S3Client.builder())
              .httpClientBuilder(UrlConnectionHttpClient.builder())
              .forcePathStyle(endpoint != null)
              // some servers answer before they have read a body in chunks
              .serviceConfiguration(service -> service.chunkedEncodingEnabled(endpoint == null))
              .requestChecksumCalculation(
                  endpoint == null
                      ? RequestChecksumCalculation.WHEN_SUPPORTED
                      : RequestChecksumCalculation.WHEN_REQUIRED)
              .build();
    }
    return s3;
  }

  synchronized SqsClient sqs() {
    if (sqs == null) {
      sqs =
          configure(SqsClient.builder())
              .httpClientBuilder(UrlConnectionHttpClient.builder())
              .build();
    }
    return sqs;
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
