package dev.millrace.worker.kcl;

import software.amazon.awssdk.services.cloudwatch.CloudWatchAsyncClient;

/** KCL wants one and, with its metrics off, asks it nothing: every call would throw. */
final class NoCloudWatch implements CloudWatchAsyncClient {
  @Override
  public String serviceName() {
    return SERVICE_NAME;
  }

  @Override
  public void close() {}
}
