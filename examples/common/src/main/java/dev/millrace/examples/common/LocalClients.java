package dev.millrace.examples.common;

import java.net.URI;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.client.builder.AwsSyncClientBuilder;
import software.amazon.awssdk.http.urlconnection.ProxyConfiguration;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;

/** Clients of the AWS SDK for servers on this machine. */
public final class LocalClients {
  /** The servers accept any, as long as they are letters and digits. */
  private static final String ANY_CREDENTIALS = "example";

  private LocalClients() {}

  /** The same builder, told where the server is. */
  public static <B extends AwsClientBuilder<B, C> & AwsSyncClientBuilder<B, C>, C> B at(
      URI endpoint, B builder) {
    // A server on this machine is not reached through a proxy that is meant for the network.
    ProxyConfiguration none =
        ProxyConfiguration.builder()
            .useSystemPropertyValues(false)
            .useEnvironmentVariablesValues(false)
            .build();
    return builder
        .endpointOverride(endpoint)
        .region(Region.US_EAST_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(
                AwsBasicCredentials.create(ANY_CREDENTIALS, ANY_CREDENTIALS)))
        .httpClientBuilder(UrlConnectionHttpClient.builder().proxyConfiguration(none));
  }
}
