package dev.millrace.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.s3.internal.ExchangeBucket;
import org.junit.jupiter.api.Test;

class ExchangePolicyTest {
  @Test
  void of_region_mayWriteItsOwnSnapshotAndReadAll() {
    assertThat(ExchangeBucket.policy(S3Location.parse("s3://quota/prod"), "eu"))
        .isEqualTo(
            """
            {
              "Version": "2012-10-17",
              "Statement": [
                {"Effect": "Allow", "Action": "s3:PutObject",
                 "Resource": "arn:aws:s3:::quota/prod/eu/snapshot.json"},
                {"Effect": "Allow", "Action": "s3:GetObject",
                 "Resource": "arn:aws:s3:::quota/prod/*/snapshot.json"},
                {"Effect": "Allow", "Action": "s3:ListBucket", "Resource": "arn:aws:s3:::quota"}
              ]
            }""");
  }

  @Test
  void of_nameThatIsNone_isRefused() {
    assertThatThrownBy(() -> ExchangeBucket.policy(S3Location.parse("s3://quota"), "*"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
