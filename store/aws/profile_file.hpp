// store/aws/profile_file.hpp
//
// The files in which AWS's own tools keep profiles: ~/.aws/config and ~/.aws/credentials.
//
// Shape    Sections of `name = value`. In config a profile is [profile NAME], but [default]; in
//          credentials it is [NAME]. Where both give a value, that of credentials holds. Indented
//          lines belong to nested settings, which nothing here needs.
// Errors   A line that is none of this is passed over, as AWS's tools do. A file that is there but
//          cannot be read throws Error. No value ever stands in an error.
// Source   AWS SDKs and Tools Reference Guide, "Shared config and credentials files".

#pragma once

#include <map>
#include <string>

#include "store/aws/surroundings.hpp"

namespace idxfsck::store {

using ProfileSection = std::map<std::string, std::string>;

struct Profiles {
    std::map<std::string, ProfileSection> profiles;
    std::map<std::string, ProfileSection> sso_sessions;

    // Nothing if there is no such profile.
    const ProfileSection* find(const std::string& name) const;
};

enum class ProfileFile { config, credentials };

// Adds the sections of one file; values that are there are replaced.
void add_profiles(Profiles& profiles, BytesView text, ProfileFile file);

// Of the two files, wherever the environment says that they are.
Profiles read_profiles(const AwsSurroundings& around);

// The name in AWS_PROFILE, or "default".
std::string profile_name(const AwsSurroundings& around);

// The folder ~/.aws, or nothing without a home.
std::optional<std::string> aws_folder(const AwsSurroundings& around);

// The value of `name`, or "".
std::string setting_of(const ProfileSection& section, const std::string& name);

}  // namespace idxfsck::store
