package dev.millrace.cli.services;

import dev.millrace.s3.S3Location;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the value of an option as a place in S3: {@code s3://bucket/prefix}. */
public final class S3LocationConverter implements ITypeConverter<S3Location> {
  @Override
  public S3Location convert(String value) {
    try {
      return S3Location.parse(value);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
