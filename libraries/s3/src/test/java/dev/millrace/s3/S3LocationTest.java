package dev.millrace.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class S3LocationTest {
  @Test
  void parse_withAndWithoutPrefix_prefixEndsWithASlash() {
    assertThat(S3Location.parse("s3://bucket")).isEqualTo(new S3Location("bucket", ""));
    assertThat(S3Location.parse("s3://bucket/")).isEqualTo(new S3Location("bucket", ""));
    assertThat(S3Location.parse("s3://bucket/a/b")).isEqualTo(new S3Location("bucket", "a/b/"));
    assertThat(S3Location.parse("s3://bucket/a/")).hasToString("s3://bucket/a/");
  }

  @Test
  void parse_somethingElse_isRefused() {
    for (String text : new String[] {"", "bucket", "s3:bucket", "http://bucket/a", "s3:///a"}) {
      assertThatThrownBy(() -> S3Location.parse(text))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("'" + text + "' is not of the form s3://bucket/prefix");
    }
  }
}
