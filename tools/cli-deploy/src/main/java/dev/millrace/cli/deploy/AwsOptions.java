package dev.millrace.cli.deploy;

import dev.millrace.cli.table.ServiceEndpoint;
import dev.millrace.dynamodb.client.SafeRetries;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.services.cloudformation.CloudFormationClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.s3.S3Client;

/** The options that name the region and the services; a mixin. */
final class AwsOptions {
  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(30);

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
    return new ServiceEndpoint(cloudFormation, region)
        .blocking(CloudFormationClient.builder())
        .overrideConfiguration(override -> override.apiCallTimeout(CALL_TIMEOUT))
        .build();
  }

  DynamoDbClient dynamo() {
    return new ServiceEndpoint(dynamo, region)
        .blocking(DynamoDbClient.builder())
        .overrideConfiguration(
            override -> {
              SafeRetries.configure(override);
              override.apiCallTimeout(CALL_TIMEOUT);
            })
        .build();
  }

  /** Other servers than AWS's have buckets in the path, and do not all understand chunks. */
  S3Client s3() {
    return new ServiceEndpoint(s3, region)
        .blocking(S3Client.builder())
        .forcePathStyle(s3 != null)
        .serviceConfiguration(service -> service.chunkedEncodingEnabled(s3 == null))
        .requestChecksumCalculation(
            s3 == null
                ? RequestChecksumCalculation.WHEN_SUPPORTED
                : RequestChecksumCalculation.WHEN_REQUIRED)
        .build();
  }
}
