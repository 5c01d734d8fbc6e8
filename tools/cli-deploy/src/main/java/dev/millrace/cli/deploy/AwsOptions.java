package dev.millrace.cli.deploy;

import dev.millrace.dynamodb.client.SafeRetries;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.http.urlconnection.ProxyConfiguration;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.cloudformation.CloudFormationClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.s3.S3Client;

/** Where the services are, and clients of them; a mixin. */
final class AwsOptions {
  /** Servers of one's own accept any, as long as they are letters and digits. */
  private static final String ANY_CREDENTIALS = "millrace";

  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration CALL = Duration.ofSeconds(30);

  @Option(
      names = "--region",
      paramLabel = "NAME",
      description = "The region (default: what the AWS SDK finds).")
  private @Nullable String region;

  @Option(
      names = "--endpoint",
      paramLabel = "URL",
      description = "DynamoDB, with any credentials (default: AWS).")
  private @Nullable URI dynamo;

  @Option(
      names = "--cloudformation-endpoint",
      paramLabel = "URL",
      description = "CloudFormation, with any credentials (default: AWS).")
  private @Nullable URI cloudFormation;

  @Option(names = "--s3-endpoint", paramLabel = "URL", description = "S3 (default: AWS).")
  private @Nullable URI s3;

  CloudFormationClient cloudFormation() {
    return configure(CloudFormationClient.builder(), cloudFormation)
        .httpClientBuilder(http(cloudFormation))
        .overrideConfiguration(AwsOptions::patient)
        .build();
  }

  DynamoDbClient dynamo() {
    return configure(DynamoDbClient.builder(), dynamo)
        .httpClientBuilder(http(dynamo))
        .overrideConfiguration(
            o -> {
              SafeRetries.configure(o);
              patient(o);
            })
        .build();
  }

  /** Other servers than AWS's have buckets in the path, and do not all understand chunks. */
  S3Client s3() {
    return configure(S3Client.builder(), s3)
        .httpClientBuilder(http(s3))
        .forcePathStyle(s3 != null)
        .serviceConfiguration(service -> service.chunkedEncodingEnabled(s3 == null))
        .requestChecksumCalculation(
            s3 == null
                ? RequestChecksumCalculation.WHEN_SUPPORTED
                : RequestChecksumCalculation.WHEN_REQUIRED)
        .build();
  }

  private static void patient(ClientOverrideConfiguration.Builder override) {
    override.apiCallTimeout(CALL);
  }

  private <B extends AwsClientBuilder<B, ?>> B configure(B builder, @Nullable URI endpoint) {
    if (region != null) {
      builder.region(Region.of(region));
    } else if (endpoint != null) {
      builder.region(Region.US_EAST_1);
    }
    if (endpoint != null) {
      builder
          .endpointOverride(endpoint)
          .credentialsProvider(
              StaticCredentialsProvider.create(
                  AwsBasicCredentials.create(ANY_CREDENTIALS, ANY_CREDENTIALS)));
    }
    return builder;
  }

  /** A server of one's own is not reached through a proxy that is meant for the network. */
  private static UrlConnectionHttpClient.Builder http(@Nullable URI endpoint) {
    UrlConnectionHttpClient.Builder builder =
        UrlConnectionHttpClient.builder().connectionTimeout(CONNECT);
    return endpoint == null
        ? builder
        : builder.proxyConfiguration(
            ProxyConfiguration.builder()
                .useSystemPropertyValues(false)
                .useEnvironmentVariablesValues(false)
                .build());
  }
}
