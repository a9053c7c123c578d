import PlacekeeperCryptography

@testable import PlacekeeperTokens

/// Keys and tokens for tests. All tokens have the subject `anna` and are valid at `now`.
enum Samples {
    static let now = 1_800_000_000.0
    static let secret = Array("a secret of at least thirty-two bytes".utf8)
    static let hmacJWK = #"{"kty":"oct","alg":"HS256","kid":"hmac","k":"\#(Base64URL.encode(secret))"}"#
    static let rsaJWK = #"{"kty":"RSA","alg":"RS256","kid":"rsa","n":"\#(modulus)","e":"AQAB"}"#
    static let p256JWK = #"{"kty":"EC","crv":"P-256","alg":"ES256","kid":"curve","x":"\#(x)","y":"\#(y)"}"#

    static func keys(_ keys: String...) throws(JSONWebKeyError) -> JSONWebKeySet {
        try JSONWebKeySet(json: Array("{\"keys\":[\(keys.joined(separator: ","))]}".utf8))
    }

    /// A set with one key of each type.
    static func allKeys() throws(JSONWebKeyError) -> JSONWebKeySet { try keys(hmacJWK, rsaJWK, p256JWK) }

    /// Returns a token that is signed with HMAC, whatever its header says.
    static func token(
        header: String = #"{"alg":"HS256","kid":"hmac"}"#, claims: String = #"{"sub":"anna","exp":1800000600}"#,
        secret: [UInt8] = secret
    ) -> String {
        let signed = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(claims.utf8))
        return signed + "." + Base64URL.encode(HMAC.sha256(Array(signed.utf8), key: secret))
    }

    static let modulus = """
        oR0V07mBRSPlhKOt05j1RLhGElizGvVvt7WRD4J-BBcdXBK7NprjNgo4T_OErhIid_iYlArhr5f8fso3M5gzR-RMFpQ88pqXaO8vrcREnKLkli-\
        N4HUs6UEp_46zd_z4Kv7VRsTZBQPJv2QGyWVAvGZ67M77Hhc-6dI2vKoJ1OiuRxgPcL96NKa2MouPKrs3LUyswDQRmd7gc0ubVsX-yIxMBdHwEm\
        KvTju7HaYA7GWUWPJ7BuZHp6Ju8tXH_6b1hALnMMYBuFD6RiraPtRtLYFVSWI-lznSC5T6hDRq_wEyojLAnsk9dg3JhvEPrCqY0mYCG6WnkYpyI\
        oB3V5BKaw
        """

    static let x = "5s3lpLXh9MBts3QnvgxoazhgFB69jIYEcYXZFK8E018"
    static let y = "uTfVe7-LTV058A1YzNlcCnE7qoWhwlSZUWxyIOv6l54"

    // Tokens that openssl(1) signed with the private keys of the samples.

    static let rsaToken = """
        eyJhbGciOiJSUzI1NiIsImtpZCI6InJzYSJ9.eyJzdWIiOiJhbm5hIiwiZXhwIjoxODAwMDAwNjAwfQ.mXyqE6nlZQ6Ai9Bt-be3h6WF1DnzctA\
        mT57FnNSn7BZvaKF5i8KsI5vbS4nPN4O2FGNexUD8wgbNA35quGvwdyBDT1VZNBQ7i6Ga5QipblsOIm69cHgUbWu2u1UCO7Z72EMAJkAVB2kqjr\
        55Uknsp9D4FABg8XrkTMax18wYaYTJWY2ZT3vMn2FL1NguR1kcbmNOGNXJzrVvHwJF2y9uISg6Dz-jI6QTw8XRPQXxXJM6PnI5ENqERxNIOgsFh\
        rxa8Gglyyt55Laq3Tu5mOg4vo4xlwJ7i8qCPqUXJk93aZ8w0O2igauV2Fn_dPnj8bNydt1hnV1FgRQuEefX0f9K5w
        """

    static let rsaTokenWithoutIdentifier = """
        eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbm5hIiwiZXhwIjoxODAwMDAwNjAwfQ.Gdf6ietvL16Nl3K-GsNFLYCU30t0GzRjPPAh78qiWGavQc-\
        eFWjWz1t7pNrfubLfI8Skp9paJYrGr7oqK6y3-RUMHGgqxacxobx5ZcHCjc_TLdBekDogtogcmIXKkSTL87AGZ3gOPCvqnYk1dqXs4QggmXDxEg\
        YgTM2vVA9PHW9JWV3maWdeMX41Fct0VWPrbgy1vD8YBpCUucgfQ0TwAIQcnIIj_eMlYDIXzvTaVujJGev9XsAx4SeyyWLMz7XbrGnOhWYsxMVt3\
        KRy5hR6j0vPnZUZqGh77QBnHaUGwJvKHLrz2oPgkuQw3YbSX98WVc1FnPwLzm_H1Bwyk_DVuw
        """

    static let p256Token = """
        eyJhbGciOiJFUzI1NiIsImtpZCI6ImN1cnZlIn0.eyJzdWIiOiJhbm5hIiwiZXhwIjoxODAwMDAwNjAwfQ.VICek_asobF4RQMtL97D3sC1XiAC\
        5-9Kw4K7uTODHGwFuFVtKto33zT3gLgx4297cTiNEh-NFQ6eP9vdkwH4Sg
        """

    static let p256TokenWithoutIdentifier = """
        eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhbm5hIiwiZXhwIjoxODAwMDAwNjAwfQ.F90fbgkJD34juoykVLlQDCr_orvvEKvVJzneT73xYVu5zQQ\
        tRtxJ5onpQY49yiHlkTsESVDBK6R3kfhbt3Khrw
        """
}
