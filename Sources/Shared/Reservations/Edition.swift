/// The version of the product; packages take their version from here too.
public enum Edition { public static let version = "0.3.0" }
